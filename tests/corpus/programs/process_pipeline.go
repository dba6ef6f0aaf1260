// run

// Other programs started, fed, joined by pipes, limited in time, with their errors told apart.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

func pipeline(stdin io.Reader, cmds ...[]string) (string, error) {
	var list []*exec.Cmd
	in := stdin
	var out bytes.Buffer
	for i, c := range cmds {
		cmd := exec.Command(c[0], c[1:]...)
		cmd.Stdin = in
		if i == len(cmds)-1 {
			cmd.Stdout = &out
		} else {
			var err error
			if in, err = cmd.StdoutPipe(); err != nil {
				return "", err
			}
		}
		list = append(list, cmd)
	}
	for _, c := range list {
		if err := c.Start(); err != nil {
			return "", err
		}
	}
	var errs []error
	for _, c := range list {
		if err := c.Wait(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.Args[0], err))
		}
	}
	return out.String(), errors.Join(errs...)
}

func main() {
	out, err := pipeline(strings.NewReader("pear\napple\nfig\napple\n"), []string{"sort"},
		[]string{"uniq", "-c"}, []string{"sh", "-c", "tr -s ' ' | sed 's/^ //'"})
	fmt.Printf("%q %v\n", out, err)
	out, err = pipeline(nil, []string{"sh", "-c", "exit 3"}, []string{"cat"})
	var exit *exec.ExitError
	fmt.Printf("%q %v %v\n", out, err, errors.As(err, &exit) && exit.ExitCode() == 3)

	cmd := exec.Command("sh", "-c", "echo out; echo err >&2; echo $GREETING; pwd; exit 7")
	cmd.Env = append(os.Environ(), "GREETING=hello", "GREETING=again")
	cmd.Dir = "/"
	b, err := cmd.Output()
	errors.As(err, &exit)
	fmt.Printf("%q %v %q %v %v\n", b, err, exit.Stderr, exit.Success(), cmd.ProcessState)
	b, err = exec.Command("sh", "-c", "echo a; echo b >&2").CombinedOutput()
	fmt.Printf("%q %v\n", b, err)

	_, err = exec.LookPath("no-such-program")
	fmt.Println(err, errors.Is(err, exec.ErrNotFound))
	err = exec.Command("./no-such-file").Run()
	fmt.Println(err, errors.Is(err, os.ErrNotExist))
	cmd = exec.Command("cat")
	fmt.Println(cmd.String() != "", cmd.Wait(), cmd.Process == nil)

	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	err = exec.CommandContext(ctx, "sleep", "60").Run()
	fmt.Println(err, ctx.Err(), time.Since(start) < 30*time.Second)
	cmd = exec.CommandContext(ctx, "true")
	fmt.Println(cmd.Run())
	ctx, cancel = context.WithCancel(context.Background())
	cmd = exec.CommandContext(ctx, "sh", "-c",
		"trap 'echo cleaned; exit 5' TERM; echo ready; while :; do sleep 0.01; done")
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	pipe, _ := cmd.StdoutPipe()
	fmt.Println(cmd.Start())
	sc := bufio.NewScanner(pipe)
	sc.Scan()
	fmt.Println(sc.Text())
	cancel()
	for sc.Scan() {
		fmt.Println(sc.Text())
	}
	err = cmd.Wait()
	errors.As(err, &exit)
	fmt.Println(err, exit.ExitCode())

	// A conversation.
	cmd = exec.Command("sh", "-c",
		`while read x; do if [ "$x" = end ]; then exit 0; fi; echo $((x * x)); done`)
	in, _ := cmd.StdinPipe()
	res, _ := cmd.StdoutPipe()
	cmd.Start()
	r := bufio.NewReader(res)
	for _, n := range []int{3, 12, 100} {
		fmt.Fprintln(in, n)
		line, err := r.ReadString('\n')
		fmt.Print(n, " ", line, err, "\n")
	}
	fmt.Fprintln(in, "end")
	fmt.Println(cmd.Wait(), in.Close() != nil)

	// Extra descriptors, and a process that a signal kills.
	pr, pw, _ := os.Pipe()
	cmd = exec.Command("sh", "-c", "echo through three >&3")
	cmd.ExtraFiles = []*os.File{pw}
	fmt.Println(cmd.Run())
	pw.Close()
	b, err = io.ReadAll(pr)
	fmt.Printf("%q %v\n", b, err)
	cmd = exec.Command("sleep", "60")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Start()
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	err = cmd.Wait()
	errors.As(err, &exit)
	ws := exit.Sys().(syscall.WaitStatus)
	fmt.Println(err, exit.ExitCode(), ws.Signaled(), ws.Signal())
	fmt.Println(cmd.Process.Kill())

	// Signals to ourselves.
	sigs := make(chan os.Signal, 2)
	signal.Notify(sigs, syscall.SIGUSR1, os.Interrupt)
	self, _ := os.FindProcess(os.Getpid())
	self.Signal(syscall.SIGUSR1)
	fmt.Println(<-sigs)
	self.Signal(os.Interrupt)
	fmt.Println(<-sigs)
	signal.Stop(sigs)
	nctx, stop := signal.NotifyContext(context.Background(), syscall.SIGUSR2)
	self.Signal(syscall.SIGUSR2)
	<-nctx.Done()
	fmt.Println(nctx.Err(), context.Cause(nctx))
	stop()
	f, err := os.CreateTemp("", "script")
	if err == nil {
		defer os.Remove(f.Name())
		f.WriteString("#!/bin/sh\necho script $# \"$1\"\n")
		f.Chmod(0o755)
		f.Close()
		b, err = exec.Command(f.Name(), "one arg", "two").Output()
		fmt.Printf("%q %v\n", b, err)
	}
}
