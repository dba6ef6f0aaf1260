// Package exec: other programs, with their input, output and end.
package exec

import (
	"bytes"
	"context"
	"errors"
	"internal/godebug"
	"internal/poll"
	"io"
	"os"
	"strconv"
	"strings"
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
	if self, err := os.Executable(); err == nil && file == self {
		return nil
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return syscall.EISDIR
	}
	// The kernel knows whether our share of the bits is among them, and where none counts.
	err = syscall.Access(file, 1)
	if err != syscall.ENOSYS && err != syscall.EPERM {
		return err
	}
	if info.Mode()&0111 == 0 {
		return syscall.EACCES
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
			if full[0] != '/' && godebug.Value("execerrdot") != "0" {
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
	exited  chan struct{}  // closed for the watcher when the program has ended; nil if there is none
	watched chan verdict
	started atomic.Bool
}

// A verdict is what the watcher has to say to Wait: an error, and if the program's time is running out, what is left of it for the copies.
type verdict struct {
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

// pipe makes a pipe to or from the program.
func (c *Cmd) pipe(toProgram bool) (theirs, ours *os.File, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	theirs, ours = w, r
	if toProgram {
		theirs, ours = r, w
	}
	c.theirs = append(c.theirs, theirs)
	c.ours = append(c.ours, ours)
	return theirs, ours, nil
}

// null is the file for a stream that nobody wants.
func (c *Cmd) null(flag int) (*os.File, error) {
	f, err := os.OpenFile(os.DevNull, flag, 0)
	if err == nil {
		c.theirs = append(c.theirs, f)
	}
	return f, err
}

// input is the file that the program reads.
func (c *Cmd) input() (*os.File, error) {
	switch in := c.Stdin.(type) {
	case nil:
		return c.null(os.O_RDONLY)
	case *os.File:
		return in, nil
	}
	theirs, ours, err := c.pipe(true)
	c.copying = append(c.copying, func() error { return feed(ours, c.Stdin) })
	return theirs, err
}

// feed copies a program's input; it need not read all.
func feed(w io.WriteCloser, from io.Reader) error {
	_, err := io.Copy(w, from)
	if errors.Is(err, syscall.EPIPE) {
		err = nil
	}
	return first(err, w.Close())
}

// first is the first error there is.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// output is the file that the program writes what goes to w to.
func (c *Cmd) output(w io.Writer) (*os.File, error) {
	switch out := w.(type) {
	case nil:
		return c.null(os.O_WRONLY)
	case *os.File:
		// What a recorded run shows is noted on its way.
		if out == nil || !poll.IsTaped(int(out.Fd())) {
			return out, nil
		}
	}
	theirs, ours, err := c.pipe(false)
	c.copying = append(c.copying, func() error {
		defer ours.Close()
		_, err := io.Copy(w, ours)
		return err
	})
	return theirs, err
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
		exited, watched := make(chan struct{}), make(chan verdict)
		c.exited, c.watched = exited, watched
		go func() { watched <- c.watch(exited) }()
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

// watch ends the program if the context ends first.
func (c *Cmd) watch(exited <-chan struct{}) verdict {
	select {
	case <-exited:
		return verdict{}
	case <-c.ctx.Done():
	}
	err := c.cancel()
	if c.WaitDelay == 0 {
		return verdict{err: err}
	}
	timer := time.NewTimer(c.WaitDelay)
	select {
	case <-exited:
		return verdict{err, timer}
	case <-timer.C:
		return verdict{err: c.kill(err)}
	}
}

// cancel asks the program to end. If that works the context is to blame, however it ends.
func (c *Cmd) cancel() error {
	if c.Cancel == nil {
		return nil
	}
	err := c.Cancel()
	if err == nil {
		return c.ctx.Err()
	}
	return unlessOver("exec: canceling Cmd", err)
}

// kill ends a program that has let its time pass, and the copies with it. What was wrong already comes first, but for a failure here.
func (c *Cmd) kill(before error) error {
	failure := c.Process.Kill()
	over := make(chan time.Time)
	close(over)
	err := c.finishCopies(over)
	if failure == nil && err != ErrWaitDelay {
		err = nil // a copy may well fail when its program is killed
	}
	return first(unlessOver("exec: killing Cmd", failure), before, err)
}

// unlessOver words an error of signalling the program; that it has ended by itself is none.
func unlessOver(what string, err error) error {
	if err == nil || errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return wrappedError{what, err}
}

// finishCopies waits for the copies until the time is over (nil: it never is), and then cuts them off.
func (c *Cmd) finishCopies(over <-chan time.Time) error {
	copied := c.copied
	if copied == nil {
		return nil
	}
	c.copied = nil
	select {
	case err := <-copied:
		return err
	default:
	}
	select {
	case err := <-copied:
		return err
	case <-over:
	}
	// Whoever else holds a pipe's other end does so in vain. What the copies say to that does not matter.
	closeAll(c.ours)
	<-copied
	return ErrWaitDelay
}

func (c *Cmd) Wait() error {
	if c.Process == nil {
		return errors.New("exec: not started")
	}
	if c.ProcessState != nil {
		return errors.New("exec: Wait was already called")
	}
	state, err := c.Process.Wait()
	c.ProcessState = state
	if err == nil && !state.Success() {
		err = &ExitError{ProcessState: state}
	}
	var late verdict
	if c.exited != nil {
		close(c.exited)
		c.exited = nil
		late = <-c.watched
	}
	var over <-chan time.Time
	if late.timer == nil && c.WaitDelay != 0 && c.copied != nil {
		late.timer = time.NewTimer(c.WaitDelay)
	}
	if late.timer != nil {
		defer late.timer.Stop()
		over = late.timer.C
	}
	err = first(err, late.err, c.finishCopies(over))
	closeAll(c.ours)
	c.ours = nil
	return err
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

// vacant is an error if a stream of the program is set already.
func vacant(name string, isSet bool) error {
	if isSet {
		return errors.New("exec: " + name + " already set")
	}
	return nil
}

// early is an error if the program runs already.
func (c *Cmd) early(what string) error {
	if c.Process != nil {
		return errors.New("exec: " + what + " after process started")
	}
	return nil
}

func (c *Cmd) Output() ([]byte, error) {
	if err := vacant("Stdout", c.Stdout != nil); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	var complaints sample
	c.Stdout = &out
	kept := c.Stderr == nil
	if kept {
		c.Stderr = &complaints
	}
	err := c.Run()
	if exit, ok := err.(*ExitError); ok && kept {
		exit.Stderr = complaints.Bytes()
	}
	return out.Bytes(), err
}

func (c *Cmd) CombinedOutput() ([]byte, error) {
	if err := first(vacant("Stdout", c.Stdout != nil), vacant("Stderr", c.Stderr != nil)); err != nil {
		return nil, err
	}
	both := new(bytes.Buffer)
	c.Stdout, c.Stderr = both, both
	err := c.Run()
	return both.Bytes(), err
}

func (c *Cmd) StdinPipe() (io.WriteCloser, error) {
	if err := first(vacant("Stdin", c.Stdin != nil), c.early("StdinPipe")); err != nil {
		return nil, err
	}
	theirs, ours, err := c.pipe(true)
	if err != nil {
		return nil, err
	}
	c.Stdin = theirs
	return ours, nil
}

// readFrom gives us an end of a stream that the program writes.
func (c *Cmd) readFrom(stream *io.Writer, name string) (io.ReadCloser, error) {
	if err := first(vacant(name, *stream != nil), c.early(name+"Pipe")); err != nil {
		return nil, err
	}
	theirs, ours, err := c.pipe(false)
	if err != nil {
		return nil, err
	}
	*stream = theirs
	return ours, nil
}

func (c *Cmd) StdoutPipe() (io.ReadCloser, error) { return c.readFrom(&c.Stdout, "Stdout") }
func (c *Cmd) StderrPipe() (io.ReadCloser, error) { return c.readFrom(&c.Stderr, "Stderr") }
