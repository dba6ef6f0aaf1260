// Package runtime: the program's view of goroutines, memory and calls.
package runtime

import "unsafe"

const (
	Compiler = "gc"
	GOOS     = "linux"
	GOARCH   = "amd64"
)

type MemStats struct {
	Alloc         uint64
	TotalAlloc    uint64
	Sys           uint64
	Lookups       uint64
	Mallocs       uint64
	Frees         uint64
	HeapAlloc     uint64
	HeapSys       uint64
	HeapIdle      uint64
	HeapInuse     uint64
	HeapReleased  uint64
	HeapObjects   uint64
	StackInuse    uint64
	StackSys      uint64
	MSpanInuse    uint64
	MSpanSys      uint64
	MCacheInuse   uint64
	MCacheSys     uint64
	BuckHashSys   uint64
	GCSys         uint64
	OtherSys      uint64
	NextGC        uint64
	LastGC        uint64
	PauseTotalNs  uint64
	PauseNs       [256]uint64
	PauseEnd      [256]uint64
	NumGC         uint32
	NumForcedGC   uint32
	GCCPUFraction float64
	EnableGC      bool
	DebugGC       bool
	BySize        [61]struct {
		Size    uint32
		Mallocs uint64
		Frees   uint64
	}
}

// readMemStats is what ReadMemStats tells: the fields but BySize, then that, three numbers for each size.
func readMemStats() (words, sizes []uint64, fraction float64)

func ReadMemStats(m *MemStats) {
	words, sizes, fraction := readMemStats()
	p := (*[24]uint64)(unsafe.Pointer(m))
	copy(p[:], words)
	copy(m.PauseNs[:], words[24:280])
	copy(m.PauseEnd[:], words[280:536])
	m.NumGC = uint32(words[536])
	m.NumForcedGC = uint32(words[537])
	m.GCCPUFraction = fraction
	m.EnableGC = true
	m.DebugGC = false
	for i := range m.BySize {
		if 3*i+2 < len(sizes) {
			m.BySize[i].Size = uint32(sizes[3*i])
			m.BySize[i].Mallocs = sizes[3*i+1]
			m.BySize[i].Frees = sizes[3*i+2]
		}
	}
}

type Frame struct {
	PC       uintptr
	Func     *Func
	Function string
	File     string
	Line     int
	Entry    uintptr
}

// funcInfo is the function at pc, "" if there is none, with the line and the function's entry.
func funcInfo(pc uintptr) (name, file string, line int, entry uintptr)

type Frames struct {
	callers []uintptr
}

func CallersFrames(callers []uintptr) *Frames { return &Frames{callers} }

func (ci *Frames) Next() (frame Frame, more bool) {
	for len(ci.callers) > 0 {
		pc := ci.callers[0]
		ci.callers = ci.callers[1:]
		name, file, line, entry := funcInfo(pc - 1)
		if name == "" {
			continue
		}
		return Frame{PC: pc, Func: FuncForPC(pc - 1), Function: name, File: file, Line: line, Entry: entry}, len(ci.callers) > 0
	}
	return Frame{}, false
}

type Func struct {
	pc uintptr
}

func FuncForPC(pc uintptr) *Func {
	if name, _, _, _ := funcInfo(pc); name == "" {
		return nil
	}
	return &Func{pc}
}

func (f *Func) Name() string {
	if f == nil {
		return ""
	}
	name, _, _, _ := funcInfo(f.pc)
	return name
}

func (f *Func) Entry() uintptr {
	_, _, _, entry := funcInfo(f.pc)
	return entry
}

func (f *Func) FileLine(pc uintptr) (file string, line int) {
	_, file, line, _ = funcInfo(pc)
	return file, line
}

// Natives of finalizers and cleanups. A runner is what the goroutine runs that calls them.

func setFinalizer(obj any, finalizer any, runner func())
func runNextFinalizer() bool
func finalizersMayEnd() bool
func addCleanup(ptr uintptr, arg, cleanup any, f, runner func()) uint64
func stopCleanup(ptr uintptr, id uint64)

// SetFinalizer makes finalizer be called with obj once nothing else reaches obj. Finalizers run one after the other.
func SetFinalizer(obj any, finalizer any) { setFinalizer(obj, finalizer, runFinalizers) }

// runFinalizers runs on a goroutine of its own, started when something is due and nobody is at work.
func runFinalizers() {
	defer func() {
		// After a Goexit in a finalizer, too, somebody must look after the others.
		if !finalizersMayEnd() {
			go runFinalizers()
		}
	}()
	for runNextFinalizer() {
	}
}

// A Cleanup is a handle of AddCleanup.
type Cleanup struct {
	id  uint64
	ptr uintptr
}

// AddCleanup makes cleanup be called with arg some time after nothing reaches *ptr any more.
func AddCleanup[T, S any](ptr *T, cleanup func(S), arg S) Cleanup {
	if ptr == nil {
		panic("runtime.AddCleanup: ptr is nil")
	}
	at := uintptr(unsafe.Pointer(ptr))
	return Cleanup{addCleanup(at, arg, cleanup, func() { cleanup(arg) }, runFinalizers), at}
}

// Stop keeps the cleanup from being called, if that has not begun.
func (c Cleanup) Stop() {
	if c.id != 0 {
		stopCleanup(c.ptr, c.id)
	}
}

// Callers puts into pc where the calling goroutine's calls return to, without the innermost skip of them, and says how many it put there.
func Callers(skip int, pc []uintptr) int

func Caller(skip int) (pc uintptr, file string, line int, ok bool) {
	var pcs [1]uintptr
	if Callers(skip+2, pcs[:]) == 0 {
		return
	}
	_, file, line, _ = funcInfo(pcs[0] - 1)
	return pcs[0], file, line, true
}

// A Pinner keeps objects where they are; the collector does not move any.
type Pinner struct {
	*pinner
}

type pinner struct{ refs []any }

// notPinned says why a value cannot be pinned; "": it can.
func notPinned(pointer any) string

// Pin keeps what a pointer points to until Unpin is called.
func (p *Pinner) Pin(pointer any) {
	if why := notPinned(pointer); why != "" {
		panic(errorString("runtime.Pinner: argument is " + why))
	}
	if p.pinner == nil {
		p.pinner = new(pinner)
		SetFinalizer(p.pinner, (*pinner).abandoned)
	}
	p.refs = append(p.refs, pointer)
}

// Unpin lets go of all that has been pinned.
func (p *Pinner) Unpin() {
	if p.pinner != nil {
		p.refs = nil
	}
}

func (p *pinner) abandoned() {
	if p.refs != nil {
		panic(errorString("runtime.Pinner: found leaking pinned pointer; forgot to call Unpin?"))
	}
}

// Gosched lets others run.
func Gosched()

// Goexit ends the calling goroutine, after its deferred calls.
func Goexit()

// LockOSThread keeps the calling goroutine on its thread, and others off it.
func LockOSThread()

// UnlockOSThread undoes one call of LockOSThread.
func UnlockOSThread()

// GOMAXPROCS sets how many threads run Go at a time, if n is positive; it returns how many did.
func GOMAXPROCS(n int) int

// SetDefaultGOMAXPROCS sets GOMAXPROCS to NumCPU.
func SetDefaultGOMAXPROCS()

// NumCPU is how many CPUs the process may use.
func NumCPU() int

// NumGoroutine is how many goroutines there are.
func NumGoroutine() int

// GC collects garbage, and returns when that is done.
func GC()

// Stack writes the calling goroutine's traceback into buf, then those of all others if all is set, and says how many bytes it wrote.
func Stack(buf []byte, all bool) int

// Breakpoint does nothing: there is no debugger.
func Breakpoint()

func KeepAlive(x any) {}

func getenv(name string) string

func NumCgoCall() int64 { return 0 }
func GOROOT() string    { return getenv("GOROOT") }
func Version() string   { return "go1.27.3" }
