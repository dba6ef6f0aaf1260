// Package exec: other programs, with their input, output and end.
//
// A Cmd is a description until Start makes files of its streams: files of the program's own, or pipes
// that goroutines copy to or from what the program of ours gave. If it has a context, a watcher waits
// beside it, whose verdict Wait asks for. Errors come together by first, in the order of their weight.
package exec

import (
	"bytes"
	"context"
	"errors"
	"internal/godebug"
	"internal/poll"
	"io"
	"os"
	"slices"
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

func (e *Error) Unwrap() error { return e.Err }
func (e *Error) Error() string { return "exec: " + strconv.Quote(e.Name) + ": " + e.Err.Error() }

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

// executable says why a file cannot be run, if it cannot.
func executable(file string) error {
	if self, err := os.Executable(); err == nil && self == file {
		return nil
	}
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return syscall.EISDIR
	}
	return refusal(file, info.Mode())
}

// refusal is why the kernel would not run a file: it knows whether our share of the mode's bits is
// among them, and where none counts. One that cannot be asked would run what anybody may.
func refusal(file string, mode os.FileMode) error {
	const toRun, anybody = 1, 0111
	err := syscall.Access(file, toRun)
	if err == syscall.ENOSYS || err == syscall.EPERM {
		if err = nil; mode&anybody == 0 {
			err = syscall.EACCES
		}
	}
	return err
}

// LookPath finds a program in the folders of $PATH. A file with a slash in its name is itself.
func LookPath(file string) (path string, err error) {
	err = ErrNotFound
	switch {
	case file == "" || file == "." || file == "..":
	case strings.Contains(file, "/"):
		if err = executable(file); err == nil {
			path = file
		}
	default:
		path, err = inFolders(file, os.Getenv("PATH"))
	}
	if err != nil {
		err = &Error{file, err}
	}
	return path, err
}

func inFolders(file, folders string) (string, error) {
	for folder := range strings.SplitSeq(folders, ":") {
		path := file
		if folder != "." && folder != "" {
			path = strings.TrimSuffix(folder, "/") + "/" + file
		}
		switch {
		case folders == "" || executable(path) != nil:
		case path[0] == '/' || godebug.Is("execerrdot", "0"):
			return path, nil
		default:
			return path, ErrDot
		}
	}
	return "", ErrNotFound
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
func (c *Cmd) environment() (env []string, err error) {
	all := c.Env
	if all == nil {
		all = os.Environ()
		folder := c.Dir
		if folder != "" && folder[0] != '/' {
			var here string
			here, err = os.Getwd()
			folder = here + "/" + folder
		}
		if folder != "" && err == nil {
			all = append(all, "PWD="+cleaned(folder))
		}
	}
	seen := map[string]bool{}
	for _, entry := range slices.Backward(all) {
		if strings.Contains(entry, "\x00") {
			err = first(err, errors.New("exec: environment variable contains NUL"))
			continue
		}
		// A name may begin with =.
		at := strings.IndexByte(entry, '=')
		if at == 0 {
			at += strings.IndexByte(entry[1:], '=') + 1
		}
		if at >= 0 && !seen[entry[:at]] || at < 0 && entry != "" {
			env = append(env, entry)
		}
		if at >= 0 {
			seen[entry[:at]] = true
		}
	}
	slices.Reverse(env)
	return env, err
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
	ours, theirs, err = os.Pipe()
	if err == nil {
		if toProgram {
			ours, theirs = theirs, ours
		}
		c.ours = append(c.ours, ours)
		c.theirs = append(c.theirs, theirs)
	}
	return theirs, ours, err
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
func first(errs ...error) (err error) {
	for i := 0; i < len(errs) && err == nil; i++ {
		err = errs[i]
	}
	return err
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
	var out, complaints *os.File
	if err == nil {
		out, err = c.output(c.Stdout)
		complaints = out
	}
	if isOther := c.Stderr == nil || !same(c.Stderr, c.Stdout); err == nil && isOther {
		complaints, err = c.output(c.Stderr)
	}
	return append([]*os.File{in, out, complaints}, c.ExtraFiles...), err
}

func (c *Cmd) Run() error {
	err := c.Start()
	if err == nil {
		err = c.Wait()
	}
	return err
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
	mayEnd := c.Cancel != nil || c.WaitDelay != 0
	if mayEnd && c.ctx != nil && c.ctx.Done() != nil {
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
	switch {
	case c.Err != nil:
		return c.Err
	case c.ctx == nil && c.Cancel != nil:
		return errors.New("exec: command with a non-nil Cancel was not created with CommandContext")
	case c.ctx != nil && c.ctx.Err() != nil:
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
	c.copied = nil
	if len(copied) == 0 && copied != nil {
		select {
		case <-over:
			// Whoever else holds a pipe's other end does so in vain. What the copies say to that
			// does not matter, unless they were over.
			if len(copied) == 0 {
				closeAll(c.ours)
				<-copied
				return ErrWaitDelay
			}
		case err := <-copied:
			return err
		}
	}
	if copied == nil {
		return nil
	}
	return <-copied
}

func (c *Cmd) Wait() error {
	switch {
	case c.Process == nil:
		return errors.New("exec: not started")
	case c.ProcessState != nil:
		return errors.New("exec: Wait was already called")
	}
	ended := c.end()
	late := c.verdict()
	if c.WaitDelay != 0 && c.copied != nil && late.timer == nil {
		late.timer = time.NewTimer(c.WaitDelay)
	}
	var over <-chan time.Time
	if late.timer != nil {
		over = late.timer.C
		defer late.timer.Stop()
	}
	copied := c.finishCopies(over)
	closeAll(c.ours)
	c.ours = nil
	return first(ended, late.err, copied)
}

// end waits for the end of the program, which is an error unless it is a success.
func (c *Cmd) end() (err error) {
	c.ProcessState, err = c.Process.Wait()
	if err == nil && !c.ProcessState.Success() {
		err = &ExitError{ProcessState: c.ProcessState}
	}
	return err
}

// verdict asks the watcher, if there is one.
func (c *Cmd) verdict() (v verdict) {
	if c.exited != nil {
		close(c.exited)
		v, c.exited = <-c.watched, nil
	}
	return v
}

// A sample keeps the beginning and the end of what is written to it.
type sample struct {
	head, tail []byte
	skipped    int64
}

const sampleSize = 32 << 10 // bytes of head and of tail

func (s *sample) Write(p []byte) (n int, err error) {
	atHead := min(sampleSize-len(s.head), len(p))
	s.head = append(s.head, p[:atHead]...)
	s.tail = append(s.tail, p[atHead:]...)
	if tooMany := len(s.tail) - sampleSize; tooMany > 0 {
		kept := copy(s.tail, s.tail[tooMany:])
		s.tail = s.tail[:kept]
		s.skipped += int64(tooMany)
	}
	return len(p), nil
}

func (s *sample) Bytes() []byte {
	gap := ""
	if s.skipped > 0 {
		gap = "\n... omitting " + strconv.FormatInt(s.skipped, 10) + " bytes ...\n"
	}
	return slices.Concat(s.head, []byte(gap), s.tail)
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

// captured runs the program, and gives its output: with its complaints among it, or else with a sample
// of them in the error if nobody wants them.
func (c *Cmd) captured(together bool) ([]byte, error) {
	err := vacant("Stdout", c.Stdout != nil)
	if together {
		err = first(err, vacant("Stderr", c.Stderr != nil))
	}
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	var unwanted *sample
	c.Stdout = &out
	if together {
		c.Stderr = &out
	} else if c.Stderr == nil {
		unwanted = new(sample)
		c.Stderr = unwanted
	}
	err = c.Run()
	if exit, failed := err.(*ExitError); failed && unwanted != nil {
		exit.Stderr = unwanted.Bytes()
	}
	return out.Bytes(), err
}

func (c *Cmd) Output() ([]byte, error)         { return c.captured(false) }
func (c *Cmd) CombinedOutput() ([]byte, error) { return c.captured(true) }

// handOut makes a pipe of one stream of which we get an end; set is told the other one.
func (c *Cmd) handOut(name string, isSet, toProgram bool, set func(*os.File)) (*os.File, error) {
	err := first(vacant(name, isSet), c.early(name+"Pipe"))
	if err != nil {
		return nil, err
	}
	theirs, ours, err := c.pipe(toProgram)
	if err == nil {
		set(theirs)
	}
	return ours, err
}

func (c *Cmd) StdinPipe() (io.WriteCloser, error) {
	w, err := c.handOut("Stdin", c.Stdin != nil, true, func(f *os.File) { c.Stdin = f })
	if w == nil {
		return nil, err
	}
	return w, nil
}

// reads gives us an end of a stream that the program writes.
func (c *Cmd) reads(stream *io.Writer, name string) (io.ReadCloser, error) {
	r, err := c.handOut(name, *stream != nil, false, func(f *os.File) { *stream = f })
	if r == nil {
		return nil, err
	}
	return r, nil
}

func (c *Cmd) StdoutPipe() (io.ReadCloser, error) { return c.reads(&c.Stdout, "Stdout") }
func (c *Cmd) StderrPipe() (io.ReadCloser, error) { return c.reads(&c.Stderr, "Stderr") }
