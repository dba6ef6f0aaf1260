// run

// Other programs: their output, input, end, environment, directory; ending them; what goes wrong.
package main

import (
	"bytes"
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

func main() {
	out, err := exec.Command("echo", "hello", "world").Output()
	fmt.Printf("%q %v\n", out, err)
	out, err = exec.Command("sh", "-c", "echo out; echo err >&2; exit 3").Output()
	var ee *exec.ExitError
	fmt.Printf("%q %v %t\n", out, err, errors.As(err, &ee))
	fmt.Printf("%d %t %t %q %v\n", ee.ExitCode(), ee.Exited(), ee.Success(), ee.Stderr, ee.ProcessState)
	out, err = exec.Command("sh", "-c", "echo out; echo err >&2").CombinedOutput()
	fmt.Printf("%q %v\n", out, err)

	// Input, from a reader, and large enough for several writes.
	c := exec.Command("cat")
	c.Stdin = strings.NewReader(strings.Repeat("abcdefgh", 50000))
	out, err = c.Output()
	fmt.Println(len(out), err, string(out[:8]), c.ProcessState)

	// Pipes, both ways.
	c = exec.Command("tr", "a-z", "A-Z")
	in, _ := c.StdinPipe()
	res, _ := c.StdoutPipe()
	fmt.Println(c.Start())
	io.WriteString(in, "shout\n")
	in.Close()
	b, err := io.ReadAll(res)
	fmt.Printf("%q %v %v\n", b, err, c.Wait())

	// Environment and directory.
	c = exec.Command("sh", "-c", "echo $A $B; pwd; echo $PWD")
	c.Env = []string{"A=1", "B=2", "A=3"}
	c.Dir = "/"
	out, err = c.Output()
	fmt.Printf("%q %v\n", out, err)
	c = exec.Command("sh", "-c", "pwd; echo $PWD $HOME_OF_TEST")
	os.Setenv("HOME_OF_TEST", "here")
	c.Dir = "/usr"
	out, err = c.Output()
	fmt.Printf("%q %v\n", out, err)
	fmt.Println(strings.HasSuffix(c.String(), "sh -c pwd; echo $PWD $HOME_OF_TEST"))

	// Descriptors: those given, and none that is open here.
	open, _ := os.Open("/etc/passwd")
	r, w, _ := os.Pipe()
	c = exec.Command("sh", "-c", "echo extra >&3; ls -l /proc/self/fd | grep /etc/passwd | wc -l")
	c.ExtraFiles = []*os.File{w}
	out, err = c.Output()
	w.Close()
	open.Close()
	b, _ = io.ReadAll(r)
	fmt.Printf("%q %q %v\n", strings.TrimSpace(string(out)), b, err)

	// Signals.
	c = exec.Command("sleep", "100")
	fmt.Println(c.Start(), c.ProcessState)
	fmt.Println(c.Process.Signal(syscall.Signal(0)), c.Process.Signal(syscall.SIGTERM))
	err = c.Wait()
	ws := c.ProcessState.Sys().(syscall.WaitStatus)
	fmt.Println(err, ws.Signaled(), ws.Signal(), c.ProcessState.ExitCode())
	fmt.Println(c.Process.Signal(syscall.SIGTERM), c.Process.Kill() == os.ErrProcessDone)
	c = exec.Command("sh", "-c", "kill -9 $$")
	fmt.Println(c.Run())
	// The new program has all signals as by default.
	c = exec.Command("sh", "-c", "kill -PIPE $$; echo survived")
	out, err = c.Output()
	fmt.Printf("%q %v\n", out, err)

	// Contexts.
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	start := time.Now()
	err = exec.CommandContext(ctx, "sleep", "100").Run()
	fmt.Println(err, time.Since(start) < 20*time.Second, ctx.Err())
	cancel()
	fmt.Println(exec.CommandContext(ctx, "sleep", "100").Run())
	ctx, cancel = context.WithCancel(context.Background())
	c = exec.CommandContext(ctx, "sh", "-c", "trap 'exit 0' USR1; echo ready; sleep 100 >/dev/null & wait")
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGUSR1) }
	c.WaitDelay = 30 * time.Second
	ready, _ := c.StdoutPipe()
	c.Start()
	ready.Read(make([]byte, 6))
	cancel()
	fmt.Println(c.Wait())

	// What goes wrong.
	fmt.Println(exec.Command("no-such-program-anywhere").Run())
	fmt.Println(exec.Command("/no/such/program").Run())
	fmt.Println(exec.Command("").Run())
	fmt.Println(exec.Command("/").Run())
	c = exec.Command("true")
	c.Dir = "/no/such/folder"
	fmt.Println(c.Run())
	_, err = exec.LookPath("no-such-program-anywhere")
	fmt.Println(err, errors.Is(err, exec.ErrNotFound))
	_, err = exec.LookPath("/no/such/program")
	fmt.Println(err)
	_, err = exec.LookPath("/")
	fmt.Println(err)
	c = exec.Command("true")
	fmt.Println(c.Wait())
	fmt.Println(c.Run(), c.Run(), c.Wait())
	c.Stdout = io.Discard
	_, err = c.Output()
	fmt.Println(err)
	_, err = c.StdoutPipe()
	fmt.Println(err)
	_, err = c.StdinPipe()
	fmt.Println(err)
	c = exec.Command("sh", "-c", "exit 300")
	fmt.Println(c.Run(), c.ProcessState.ExitCode(), c.ProcessState.Pid() == c.Process.Pid)

	// A failing writer, and a reader who does not want everything.
	c = exec.Command("echo", "x")
	c.Stdout = failing{}
	fmt.Println(c.Run())
	c = exec.Command("true")
	c.Stdin = bytes.NewReader(make([]byte, 1<<20))
	fmt.Println(c.Run())

	// Processes by themselves.
	p, err := os.StartProcess("/bin/sh", []string{"sh", "-c", "exit 7"}, &os.ProcAttr{Files: []*os.File{nil, os.Stdout, os.Stderr}})
	fmt.Println(err)
	s, err := p.Wait()
	fmt.Println(s, err, s.ExitCode(), s.SystemTime() >= 0, s.UserTime() >= 0)
	_, err = p.Wait()
	fmt.Println(err != nil)
	_, err = os.StartProcess("/no/such", nil, &os.ProcAttr{})
	fmt.Println(err)
	self, _ := os.FindProcess(os.Getpid())
	fmt.Println(self.Pid == os.Getpid(), self.Signal(syscall.Signal(0)), self.Release())

	// Many at once.
	results := make(chan string)
	for i := range 20 {
		go func() {
			out, err := exec.Command("sh", "-c", fmt.Sprintf("echo %d", i)).Output()
			results <- fmt.Sprintf("%s%v", out, err)
		}()
	}
	sum := 0
	for range 20 {
		var n int
		var text string
		fmt.Sscanf(<-results, "%d\n%s", &n, &text)
		sum += n
		if text != "<nil>" {
			fmt.Println(text)
		}
	}
	fmt.Println(sum)
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("will not") }
