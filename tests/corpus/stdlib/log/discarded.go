// run

// What goes to io.Discard is not formatted; a line ends once.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
)

type noisy struct{}

func (noisy) String() string {
	fmt.Println("formatted")
	return "noisy"
}

func main() {
	l := log.New(io.Discard, "p: ", 0)
	l.Print(noisy{})
	l.Printf("%v", noisy{})
	l.Println(noisy{})
	l.SetOutput(os.Stdout)
	l.Println(noisy{})
	l.SetPrefix("\n")
	fmt.Println(l.Output(0, ""))
	l.Print("a\n")
	l.SetPrefix("")
	l.Print("")
	func() {
		l.SetOutput(io.Discard)
		defer func() { fmt.Println(recover()) }()
		l.Panic(noisy{})
	}()
	log.SetOutput(io.Discard)
	log.Print(noisy{})
	log.Default().SetOutput(os.Stdout)
	log.SetFlags(log.Lmsgprefix)
	log.Print(noisy{})
}
