// Package exec: other programs, with their input, output and end.
package exec

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

var (
	ErrNotFound  = errors.New("executable file not found in $PATH")
	ErrDot       = errors.New("cannot run executable found relative to current directory")
	ErrWaitDelay = errors.New("exec: WaitDelay expired before I/O complete")
)

type Error struct {
	Name string
	Err  error
}

func (e *Error) Error() string { return "exec: " + strconv.Quote(e.Name) + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

type ExitError struct {
	*os.ProcessState
	Stderr []byte
}

func (e *ExitError) Error() string { return e.ProcessState.String() }

// An error with what was being done.
type wrappedError struct {
	what string
	err  error
}

func (w wrappedError) Error() string { return w.what + ": " + w.err.Error() }
func (w wrappedError) Unwrap() error { return w.err }

// ---- Finding programs.

func checkExecutable(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return syscall.EISDIR
	}
	if mode := info.Mode().Perm(); mode&0111 == 0 {
		return syscall.EACCES
	} else if os.Geteuid() != 0 && mode&0111 != 0111 {
		// The kernel knows whether our share of the bits is among them.
		return syscall.Access(file, 1)
	}
	return nil
}

func LookPath(file string) (string, error) {
	switch file {
	case "", ".", "..":
		return "", &Error{file, ErrNotFound}
	}
	if strings.Contains(file, "/") {
		if err := checkExecutable(file); err != nil {
			return "", &Error{file, err}
		}
		return file, nil
	}
	path := os.Getenv("PATH")
	if path == "" {
		return "", &Error{file, ErrNotFound}
	}
	for _, dir := range strings.Split(path, ":") {
		full := file
		if dir != "" && dir != "." {
			full = strings.TrimSuffix(dir, "/") + "/" + file
		}
		if checkExecutable(full) == nil {
			if full[0] != '/' {
				return full, &Error{file, ErrDot}
			}
			return full, nil
		}
	}
	return "", &Error{file, ErrNotFound}
}

// ---- Commands.

type Cmd struct {
	Path         string
	Args         []string
	Env          []string
	Dir          string
	Stdin        io.Reader
	Stdout       io.Writer
	Stderr       io.Writer
	ExtraFiles   []*os.File
	SysProcAttr  *syscall.SysProcAttr
	Process      *os.Process
	ProcessState *os.ProcessState
	Err          error
	Cancel       func() error
	WaitDelay    time.Duration

	ctx     context.Context
	theirs  []io.Closer    // closed once the program has started
	ours    []io.Closer    // closed once it has ended
	copying []func() error // to be run beside it
	copied  chan error     // the first error of them all, when all are over; nil if there are none
	watched chan watchResult
	started atomic.Bool
}

// A watchResult is what became of waiting for the end of the context; its timer limits the wait for copies.
type watchResult struct {
	err   error
	timer *time.Timer
}

func Command(name string, arg ...string) *Cmd {
	c := &Cmd{Path: name, Args: append([]string{name}, arg...)}
	if name == "/" || name != "" && !strings.Contains(name, "/") {
		path, err := LookPath(name)
		if path != "" {
			c.Path = path
		}
		c.Err = err
	}
	return c
}

func CommandContext(ctx context.Context, name string, arg ...string) *Cmd {
	if ctx == nil {
		panic("nil Context")
	}
	c := Command(name, arg...)
	c.ctx = ctx
	c.Cancel = func() error { return c.Process.Kill() }
	return c
}

func (c *Cmd) String() string {
	if c.Err != nil {
		return strings.Join(c.Args, " ")
	}
	text := c.Path
	for i, a := range c.Args {
		if i > 0 {
			text += " " + a
		}
	}
	return text
}

// environment is what the program gets: of several values of one variable the last.
func (c *Cmd) environment() ([]string, error) {
	env := c.Env
	var err error
	if env == nil {
		env = os.Environ()
		if c.Dir != "" {
			dir := c.Dir
			if dir[0] != '/' {
				var here string
				if here, err = os.Getwd(); err == nil {
					dir = here + "/" + dir
				}
			}
			if err == nil {
				env = append(env, "PWD="+cleaned(dir))
			}
		}
	}
	seen := map[string]bool{}
	var out []string
	for i := len(env) - 1; i >= 0; i-- {
		entry := env[i]
		if strings.IndexByte(entry, 0) >= 0 {
			if err == nil {
				err = errors.New("exec: environment variable contains NUL")
			}
			continue
		}
		from := 0
		if strings.HasPrefix(entry, "=") {
			from = 1
		}
		if eq := strings.IndexByte(entry[from:], '='); eq >= 0 {
			key := entry[:from+eq]
			if seen[key] {
				continue
			}
			seen[key] = true
		} else if entry == "" {
			continue
		}
		out = append(out, entry)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out, err
}

// cleaned takes empty parts, dots and double dots out of an absolute path.
func cleaned(path string) string {
	var parts []string
	for _, p := range strings.Split(path, "/") {
		switch {
		case p == "" || p == ".":
		case p == "..":
			parts = parts[:max(len(parts)-1, 0)]
		default:
			parts = append(parts, p)
		}
	}
	return "/" + strings.Join(parts, "/")
}

func (c *Cmd) Environ() []string {
	env, _ := c.environment()
	return env
}

func closeAll(list []io.Closer) {
	for _, f := range list {
		f.Close()
	}
}

// input is the file that the program reads.
func (c *Cmd) input() (*os.File, error) {
	if c.Stdin == nil {
		f, err := os.Open(os.DevNull)
		if err == nil {
			c.theirs = append(c.theirs, f)
		}
		return f, err
	}
	if f, ok := c.Stdin.(*os.File); ok {
		return f, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.theirs = append(c.theirs, r)
	c.ours = append(c.ours, w)
	c.copying = append(c.copying, func() error {
		_, err := io.Copy(w, c.Stdin)
		if errors.Is(err, syscall.EPIPE) {
			err = nil // it need not read all
		}
		if err1 := w.Close(); err == nil {
			err = err1
		}
		return err
	})
	return r, nil
}

// output is the file that the program writes what goes to w to.
func (c *Cmd) output(w io.Writer) (*os.File, error) {
	if w == nil {
		f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		if err == nil {
			c.theirs = append(c.theirs, f)
		}
		return f, err
	}
	if f, ok := w.(*os.File); ok {
		return f, nil
	}
	pr, pw, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.theirs = append(c.theirs, pw)
	c.ours = append(c.ours, pr)
	c.copying = append(c.copying, func() error {
		_, err := io.Copy(w, pr)
		pr.Close()
		return err
	})
	return pw, nil
}

// same tells whether two writers are one; those that cannot be compared are not.
func same(a, b any) bool {
	defer func() { recover() }()
	return a == b
}

func (c *Cmd) files() ([]*os.File, error) {
	in, err := c.input()
	if err != nil {
		return nil, err
	}
	out, err := c.output(c.Stdout)
	if err != nil {
		return nil, err
	}
	errs := out
	if c.Stderr == nil || !same(c.Stderr, c.Stdout) {
		if errs, err = c.output(c.Stderr); err != nil {
			return nil, err
		}
	}
	return append([]*os.File{in, out, errs}, c.ExtraFiles...), nil
}

func (c *Cmd) Run() error {
	if err := c.Start(); err != nil {
		return err
	}
	return c.Wait()
}

func (c *Cmd) Start() error {
	if c.started.Swap(true) {
		return errors.New("exec: already started")
	}
	err := c.start()
	closeAll(c.theirs)
	c.theirs = nil
	if err != nil {
		closeAll(c.ours)
		c.ours, c.copying = nil, nil
		return err
	}
	if len(c.copying) > 0 {
		c.copied = make(chan error, 1)
		go copyAll(c.copying, c.copied)
		c.copying = nil
	}
	if (c.Cancel != nil || c.WaitDelay != 0) && c.ctx != nil && c.ctx.Done() != nil {
		c.watched = make(chan watchResult)
		go c.watch()
	}
	return nil
}

func (c *Cmd) start() error {
	if c.Path == "" && c.Err == nil {
		c.Err = errors.New("exec: no command")
	}
	if c.Err != nil {
		return c.Err
	}
	if c.Cancel != nil && c.ctx == nil {
		return errors.New("exec: command with a non-nil Cancel was not created with CommandContext")
	}
	if c.ctx != nil && c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	files, err := c.files()
	if err != nil {
		return err
	}
	env, err := c.environment()
	if err != nil {
		return err
	}
	args := c.Args
	if len(args) == 0 {
		args = []string{c.Path}
	}
	c.Process, err = os.StartProcess(c.Path, args, &os.ProcAttr{Dir: c.Dir, Files: files, Env: env, Sys: c.SysProcAttr})
	return err
}

// copyAll runs all copies, and tells the first error when they are over.
func copyAll(copies []func() error, done chan<- error) {
	results := make(chan error)
	for _, f := range copies {
		go func() { results <- f() }()
	}
	var first error
	for range copies {
		if err := <-results; first == nil {
			first = err
		}
	}
	done <- first
}

// watch ends the program when the context ends, and gives Wait its result.
func (c *Cmd) watch() {
	select {
	case c.watched <- watchResult{}:
		return
	case <-c.ctx.Done():
	}
	var err error
	if c.Cancel != nil {
		if failure := c.Cancel(); failure == nil {
			err = c.ctx.Err() // it has heard of it, however it ends
		} else if !errors.Is(failure, os.ErrProcessDone) {
			err = wrappedError{"exec: canceling Cmd", failure}
		}
	}
	if c.WaitDelay == 0 {
		c.watched <- watchResult{err: err}
		return
	}
	timer := time.NewTimer(c.WaitDelay)
	select {
	case c.watched <- watchResult{err, timer}:
		return
	case <-timer.C:
	}
	// It goes on regardless.
	killed := false
	if failure := c.Process.Kill(); failure == nil {
		killed = true
	} else if !errors.Is(failure, os.ErrProcessDone) {
		err = wrappedError{"exec: killing Cmd", failure}
	}
	if c.copied != nil {
		select {
		case failure := <-c.copied:
			if err == nil && !killed {
				err = failure
			}
		default:
			closeAll(c.ours)
			<-c.copied
			if err == nil {
				err = ErrWaitDelay
			}
		}
		c.copied = nil
	}
	c.watched <- watchResult{err: err}
}

func (c *Cmd) Wait() error {
	if c.Process == nil {
		return errors.New("exec: not started")
	}
	if c.ProcessState != nil {
		return errors.New("exec: Wait was already called")
	}
	state, err := c.Process.Wait()
	if err == nil && !state.Success() {
		err = &ExitError{ProcessState: state}
	}
	c.ProcessState = state
	var timer *time.Timer
	if c.watched != nil {
		result := <-c.watched
		timer = result.timer
		if err == nil {
			err = result.err
		}
	}
	if failure := c.awaitCopies(timer); err == nil {
		err = failure
	}
	closeAll(c.ours)
	c.ours = nil
	return err
}

// awaitCopies waits for the copies, at most as long as the timer or WaitDelay allow.
func (c *Cmd) awaitCopies(timer *time.Timer) error {
	if timer != nil {
		defer timer.Stop()
	}
	if c.copied == nil {
		return nil
	}
	if timer == nil && c.WaitDelay == 0 {
		return <-c.copied
	}
	if timer == nil {
		select {
		case err := <-c.copied:
			return err
		default:
		}
		timer = time.NewTimer(c.WaitDelay)
		defer timer.Stop()
	}
	select {
	case err := <-c.copied:
		return err
	case <-timer.C:
		closeAll(c.ours)
		<-c.copied
		return ErrWaitDelay
	}
}

// A sample keeps the beginning and the end of what is written to it.
type sample struct {
	head, tail []byte
	skipped    int64
}

const sampleSize = 32 << 10 // bytes of head and of tail

func (s *sample) Write(p []byte) (n int, err error) {
	n = len(p)
	if room := sampleSize - len(s.head); room > 0 {
		m := min(room, len(p))
		s.head = append(s.head, p[:m]...)
		p = p[m:]
	}
	s.tail = append(s.tail, p...)
	if over := len(s.tail) - sampleSize; over > 0 {
		s.skipped += int64(over)
		s.tail = append(s.tail[:0], s.tail[over:]...)
	}
	return n, nil
}

func (s *sample) Bytes() []byte {
	if s.skipped == 0 {
		return append(s.head, s.tail...)
	}
	out := append([]byte(nil), s.head...)
	out = append(out, "\n... omitting "+strconv.FormatInt(s.skipped, 10)+" bytes ...\n"...)
	return append(out, s.tail...)
}

func (c *Cmd) Output() ([]byte, error) {
	if c.Stdout != nil {
		return nil, errors.New("exec: Stdout already set")
	}
	var out bytes.Buffer
	c.Stdout = &out
	var errs *sample
	if c.Stderr == nil {
		errs = new(sample)
		c.Stderr = errs
	}
	err := c.Run()
	if e, ok := err.(*ExitError); ok && errs != nil {
		e.Stderr = errs.Bytes()
	}
	return out.Bytes(), err
}

func (c *Cmd) CombinedOutput() ([]byte, error) {
	if c.Stdout != nil {
		return nil, errors.New("exec: Stdout already set")
	}
	if c.Stderr != nil {
		return nil, errors.New("exec: Stderr already set")
	}
	var b bytes.Buffer
	c.Stdout, c.Stderr = &b, &b
	err := c.Run()
	return b.Bytes(), err
}

// A closeOnce is a pipe's end that Wait closes too.
type closeOnce struct {
	*os.File
	once sync.Once
	err  error
}

func (c *closeOnce) Close() error {
	c.once.Do(func() { c.err = c.File.Close() })
	return c.err
}

func (c *Cmd) StdinPipe() (io.WriteCloser, error) {
	if c.Stdin != nil {
		return nil, errors.New("exec: Stdin already set")
	}
	if c.Process != nil {
		return nil, errors.New("exec: StdinPipe after process started")
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.Stdin = r
	c.theirs = append(c.theirs, r)
	end := &closeOnce{File: w}
	c.ours = append(c.ours, end)
	return end, nil
}

// readEnd makes a pipe that the program writes to.
func (c *Cmd) readEnd(writer *io.Writer, name string) (io.ReadCloser, error) {
	if *writer != nil {
		return nil, errors.New("exec: " + name + " already set")
	}
	if c.Process != nil {
		return nil, errors.New("exec: " + name + "Pipe after process started")
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	*writer = w
	c.theirs = append(c.theirs, w)
	c.ours = append(c.ours, r)
	return r, nil
}

func (c *Cmd) StdoutPipe() (io.ReadCloser, error) { return c.readEnd(&c.Stdout, "Stdout") }
func (c *Cmd) StderrPipe() (io.ReadCloser, error) { return c.readEnd(&c.Stderr, "Stderr") }
