// run

// A command line program with sub-commands and flags, run on a list of command lines.
package main

import (
	"bytes"
	"encoding/gob"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"
)

type priority int

func (p *priority) Set(s string) error {
	for i, name := range []string{"low", "normal", "high"} {
		if s == name {
			*p = priority(i)
			return nil
		}
	}
	return fmt.Errorf("%q is not low, normal or high", s)
}

func (p priority) String() string { return [...]string{"low", "normal", "high"}[p] }

type tagList []string

func (t *tagList) Set(s string) error { *t = append(*t, strings.Split(s, ",")...); return nil }
func (t tagList) String() string      { return strings.Join(t, ",") }

type Task struct {
	ID       int
	Title    string
	Priority int
	Tags     []string
	Due      time.Time
	Done     bool
}

type app struct {
	out, err io.Writer
	file     string
	now      func() time.Time
	Tasks    []Task
}

type command struct {
	usage string
	run   func(a *app, fs *flag.FlagSet, args []string) error
}

var commands map[string]command

func init() {
	commands = map[string]command{
		"add":  {"[flags] title...", add},
		"list": {"[flags]", list},
		"done": {"id...", done},
	}
}

func add(a *app, fs *flag.FlagSet, args []string) error {
	p := priority(1)
	var tags tagList
	fs.Var(&p, "p", "`level`: low, normal or high")
	fs.Var(&tags, "t", "tags")
	due := fs.Duration("in", 0, "time until it is due")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() == 0 {
		return errors.New("a task needs a title")
	}
	t := Task{ID: len(a.Tasks) + 1, Title: strings.Join(fs.Args(), " "), Priority: int(p), Tags: tags}
	if *due > 0 {
		t.Due = a.now().Add(*due)
	}
	a.Tasks = append(a.Tasks, t)
	fmt.Fprintln(a.out, "added", t.ID)
	return a.save()
}

func list(a *app, fs *flag.FlagSet, args []string) error {
	all := fs.Bool("a", false, "done ones, too")
	tag := fs.String("tag", "", "with this `tag` only")
	limit := fs.Int("n", 100, "at most so many")
	if err := fs.Parse(args); err != nil {
		return err
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 1, ' ', 0)
	n := 0
	for _, t := range a.Tasks {
		if t.Done && !*all || *tag != "" && !strings.Contains(","+strings.Join(t.Tags, ",")+",",
			","+*tag+",") {
			continue
		}
		if n++; n > *limit {
			break
		}
		due := "-"
		if !t.Due.IsZero() {
			due = t.Due.Format("Mon 15:04")
		}
		fmt.Fprintf(w, "%d\t%v\t%s\t%v\t%s\n", t.ID, map[bool]string{true: "x", false: " "}[t.Done],
			due, priority(t.Priority), t.Title)
	}
	return w.Flush()
}

func done(a *app, fs *flag.FlagSet, args []string) error {
	if err := fs.Parse(args); err != nil {
		return err
	}
	var errs []error
	for _, s := range fs.Args() {
		var id int
		if _, err := fmt.Sscan(s, &id); err != nil || id < 1 || id > len(a.Tasks) {
			errs = append(errs, fmt.Errorf("no task %q", s))
			continue
		}
		a.Tasks[id-1].Done = true
	}
	return errors.Join(append(errs, a.save())...)
}

func (a *app) save() error {
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(a.Tasks); err != nil {
		return err
	}
	return os.WriteFile(a.file, buf.Bytes(), 0o600)
}

func (a *app) load() error {
	data, err := os.ReadFile(a.file)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	return gob.NewDecoder(bytes.NewReader(data)).Decode(&a.Tasks)
}

func run(a *app, args []string) int {
	fs := flag.NewFlagSet("todo", flag.ContinueOnError)
	fs.SetOutput(a.err)
	fs.Usage = func() { fmt.Fprintln(a.err, "usage: todo [-f file] add|list|done") }
	fs.StringVar(&a.file, "f", a.file, "where tasks are kept")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if fs.NArg() == 0 {
		fs.Usage()
		return 2
	}
	cmd, ok := commands[fs.Arg(0)]
	if !ok {
		fmt.Fprintf(a.err, "todo: unknown command %q\n", fs.Arg(0))
		return 2
	}
	if err := a.load(); err != nil {
		fmt.Fprintln(a.err, "todo:", err)
		return 1
	}
	sub := flag.NewFlagSet("todo "+fs.Arg(0), flag.ContinueOnError)
	sub.SetOutput(a.err)
	sub.Usage = func() {
		fmt.Fprintf(a.err, "usage: %s %s\n", sub.Name(), cmd.usage)
		sub.PrintDefaults()
	}
	err := cmd.run(a, sub, fs.Args()[1:])
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(a.err, "todo:", err)
		return 1
	}
	return 0
}

func main() {
	dir, err := os.MkdirTemp("", "todo")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "tasks")
	clock := time.Date(2024, 3, 1, 8, 0, 0, 0, time.UTC)
	for _, line := range []string{
		"", "-h", "-x", "fly", "list", "add", "add -h", "add write the report",
		"add -p high -t work,urgent -in 90m call the bank",
		"add -p=low -t home -t garden --in=26h mow -lawn",
		"add -p huge x", "add -in soon x", "list", "list -tag urgent", "list -n 1", "list -n x",
		"done 1 7 x", "list", "list -a", "list -a=false -tag home", "done -- 2 3", "list", "list -h",
	} {
		a := &app{out: os.Stdout, err: os.Stdout, file: file, now: func() time.Time { return clock }}
		fmt.Println("$ todo", line)
		if code := run(a, strings.Fields(line)); code != 0 {
			fmt.Println("exit", code)
		}
	}
	os.WriteFile(file, []byte("no tasks"), 0o600)
	a := &app{out: os.Stdout, err: os.Stdout, file: file}
	fmt.Println(run(a, []string{"list"}))
}
