// run

// Sets of flags of all types: many command lines, their values and errors, the help, what is refused.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

type lst []string

func (l *lst) String() string { return fmt.Sprint([]string(*l)) }
func (l *lst) Set(s string) error {
	if s == "bad" {
		return errors.New("no good")
	}
	*l = append(*l, s)
	return nil
}
func main() {
	sets := [][]string{{}, {"-b"}, {"-b=false", "x", "-i", "3"}, {"--i", "7", "--", "-b"}, {"-i"}, {"-i=x"}, {"-i=99999999999999999999"}, {"-b=zz"}, {"-u", "-1"}, {"-u64=18446744073709551615"}, {"-f=1e400"}, {"-f", "2.5e-3"}, {"-d=1h3s", "-s="}, {"-d=1"}, {"---b"}, {"-=1"}, {"--=1"}, {"-", "-b"}, {"-nope"}, {"-h"}, {"--help"}, {"-help=3"}, {"-l=a", "-l", "b", "-l=bad"}, {"-i64=0x10", "-i=0b11", "-i=1_000"}, {"-fn=ok"}, {"-fn=bad"}, {"-bf"}, {"-bf=no"}, {"-s=a=b=c", "rest"}, {"-bf=bad"}, {"-bb"}, {"-t=2001-02-03T04:05:06Z"}, {"-t=zz"}}
	for _, pol := range []flag.ErrorHandling{flag.ContinueOnError, flag.PanicOnError} {
		for _, args := range sets {
			var out bytes.Buffer
			f := flag.NewFlagSet("prog", pol)
			f.SetOutput(&out)
			b := f.Bool("b", false, "a `switch`")
			i := f.Int("i", 5, "number")
			i64 := f.Int64("i64", 0, "n\nm")
			u := f.Uint("u", 1, "")
			u64 := f.Uint64("u64", 0, "x")
			s := f.String("s", "dft", "text")
			fl := f.Float64("f", 1e21, "float")
			d := f.Duration("d", time.Second, "dur `t`ime")
			var l lst
			f.Var(&l, "l", "list")
			var got []string
			f.Func("fn", "func", func(x string) error {
				if x == "bad" {
					return errors.New("bad fn")
				}
				got = append(got, x)
				return nil
			})
			f.BoolFunc("bf", "func", func(x string) error {
				if x == "bad" {
					return errors.New("bad fn")
				}
				got = append(got, x)
				return nil
			})
			var tt time.Time
			f.TextVar(&tt, "t", time.Unix(0, 0).UTC(), "a time")
			var e any
			func() {
				defer func() {
					if r := recover(); r != nil {
						e = r
					}
				}()
				e = f.Parse(args)
			}()
			fmt.Printf("%q %v | %v %v %v %v %v %q %v %v %v %v %v | %q %d %d %v | %d\n", args, e, *b, *i, *i64, *u, *u64, *s, *fl, *d, l, got, tt, f.Args(), f.NArg(), f.NFlag(), f.Parsed(), out.Len())
			f.Visit(func(x *flag.Flag) { fmt.Printf("  %s=%s(%s) %T\n", x.Name, x.Value, x.DefValue, x.Value) })
			if len(args) == 0 {
				f.VisitAll(func(x *flag.Flag) {
					n, us := flag.UnquoteUsage(x)
					fmt.Printf("  %s %q %q %T ", x.Name, n, us, x.Value)
					if g, ok := x.Value.(flag.Getter); ok {
						fmt.Printf("%v %T", g.Get(), g.Get())
					}
					fmt.Println()
				})
			}
			if len(args) > 0 && args[0] == "-h" && pol == flag.ContinueOnError {
				fmt.Print(out.String())
			}
			fmt.Println(f.Set("i", "12"), f.Set("zz", "1"), f.Set("i", "q"), f.Arg(0), f.Arg(9))
			for _, n := range []string{"-x", "a=b", "i", "zz"} {
				func() { defer func() { fmt.Println(recover() != nil) }(); f.Int(n, 1, "") }()
			}
		}
	}
	flag.CommandLine.SetOutput(io.Discard)
	var x int
	flag.IntVar(&x, "x", 3, "x")
	y := flag.Duration("y", 0, "")
	flag.Parse()
	fmt.Println(x, *y, flag.Args(), len(os.Args))
	flag.CommandLine.Parse([]string{"-h"})
}
