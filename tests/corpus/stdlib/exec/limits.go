// run

// Programs whose context ends, or that leave others behind who hold their pipes: who is ended when, and which error tells of it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

type badWriter struct{}

func (badWriter) Write(p []byte) (int, error) { return 0, errors.New("no room") }

type badReader struct{}

func (badReader) Read([]byte) (int, error) { return 0, errors.New("bad read") }

// kind of a Cancel function.
type kind int

const (
	kills kind = iota
	deaf
	fails
	late
	none
	asks
)

func try(name string, cancels kind, delay time.Duration, out io.Writer, script string) {
	ctx, cancel := context.WithCancel(context.Background())
	c := exec.CommandContext(ctx, "sh", "-c", script)
	switch cancels {
	case deaf:
		c.Cancel = func() error { return nil }
	case fails:
		c.Cancel = func() error { return errors.New("cannot") }
	case late:
		c.Cancel = func() error { return os.ErrProcessDone }
	case none:
		c.Cancel = nil
	case asks:
		c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	}
	c.WaitDelay, c.Stdout = delay, out
	if err := c.Start(); err != nil {
		fmt.Println(name, err)
		return
	}
	time.AfterFunc(50*time.Millisecond, cancel)
	err := c.Wait()
	fmt.Println(name, err, errors.Is(err, exec.ErrWaitDelay), errors.Is(err, context.Canceled), c.ProcessState)
}

func main() {
	const short, long = 100 * time.Millisecond, time.Minute
	text := func() io.Writer { return new(strings.Builder) }
	try("killed", kills, 0, nil, "exec sleep 60")
	try("killed, copying", kills, 0, text(), "exec sleep 60")
	try("killed, others stay", kills, short, text(), "sleep 2 & exec sleep 60")
	try("ends, others stay", kills, short, text(), "sleep 2 & exit 0")
	try("deaf", deaf, short, nil, "exec sleep 60")
	try("deaf, others stay", deaf, short, text(), "sleep 2 & exec sleep 60")
	try("fails", fails, long, nil, "exec sleep 1")
	try("fails, killed", fails, short, nil, "exec sleep 60")
	try("late", late, short, nil, "exec sleep 60")
	try("late, ends", late, long, nil, "exec sleep 1")
	try("none", none, 0, nil, "exec sleep 1")
	try("none, killed", none, short, nil, "exec sleep 60")
	try("asked", asks, long, text(), "trap 'exit 0' TERM; sleep 2 >/dev/null & wait")
	try("bad output", none, 0, badWriter{}, "echo x")
	try("bad output, exits", none, 0, badWriter{}, "echo x; exit 4")

	c := exec.Command("cat")
	c.Stdin = io.MultiReader(strings.NewReader("x"), badReader{})
	fmt.Println(c.Run())

	c = exec.Command("cat")
	c.WaitDelay = long
	in, _ := c.StdinPipe()
	out, _ := c.StdoutPipe()
	errs, _ := c.StderrPipe()
	fmt.Printf("%T %T %T %v\n", in, out, errs, c.Start())
	io.WriteString(in, "abc")
	in.Close()
	b, _ := io.ReadAll(out)
	fmt.Println(string(b), c.Wait(), c.Wait())
	fmt.Println(in.Close(), out.Close(), errs.Close())

	c = exec.Command("cat")
	c.Stdin = strings.NewReader("x")
	_, err := c.StdinPipe()
	fmt.Println(err)
	c.Stderr = os.Stderr
	_, err = c.StderrPipe()
	fmt.Println(err)
	_, err = c.CombinedOutput()
	fmt.Println(err)
	c.Start()
	_, err = c.StdoutPipe()
	fmt.Println(err, c.Wait())

	c = exec.Command("/no/such/program")
	c.Stdin, c.Stdout = strings.NewReader("x"), text()
	fmt.Println(c.Run(), c.Run())
	// Standard input and output that nobody wants are open for reading, and for writing, only.
	both, err := exec.Command("sh", "-c", "cat; echo $?; (echo x >&0) 2>/dev/null; echo $?").Output()
	fmt.Printf("%q %v\n", both, err)
	_, err = exec.Command("sh", "-c", "head -c 100000 /dev/zero >&2; exit 2").Output()
	fmt.Println(err, len(err.(*exec.ExitError).Stderr))
}
