// Package signal: the program receives signals on channels.
//
// The runtime notes that a signal has come; one goroutine takes it from there and hands it to the channels that want it.
package signal

import (
	"context"
	"os"
	"sync"
	"syscall"
)

// Natives. receive waits for a signal that has been enabled.
func enable(sig int)
func disable(sig int)
func ignore(sig int)
func ignored(sig int) bool
func receive() (sig int)

// Signals are numbered below this.
const signals = 65

// A set of signals.
type set [signals]bool

var handlers struct {
	sync.Mutex
	wanted  map[chan<- os.Signal]*set
	counts  [signals]int // channels that want it
	running bool
}

// number is the signal's, −1 if it has none.
func number(sig os.Signal) int {
	if s, ok := sig.(syscall.Signal); ok && 0 <= s && s < signals {
		return int(s)
	}
	return -1
}

// each calls f for the signals named, or for all.
func each(sigs []os.Signal, f func(n int)) {
	if len(sigs) == 0 {
		for n := range signals {
			f(n)
		}
	}
	for _, s := range sigs {
		if n := number(s); n >= 0 {
			f(n)
		}
	}
}

func loop() {
	for {
		deliver(receive())
	}
}

// deliver hands the signal to all who want it and have room.
func deliver(n int) {
	handlers.Lock()
	defer handlers.Unlock()
	for c, s := range handlers.wanted {
		if s[n] {
			select {
			case c <- syscall.Signal(n):
			default:
			}
		}
	}
}

func Notify(c chan<- os.Signal, sig ...os.Signal) {
	if c == nil {
		panic("os/signal: Notify using nil channel")
	}
	handlers.Lock()
	defer handlers.Unlock()
	if handlers.wanted == nil {
		handlers.wanted = map[chan<- os.Signal]*set{}
	}
	s := handlers.wanted[c]
	if s == nil {
		s = new(set)
		handlers.wanted[c] = s
	}
	each(sig, func(n int) {
		if s[n] {
			return
		}
		s[n] = true
		if handlers.counts[n] == 0 {
			enable(n)
		}
		handlers.counts[n]++
		if !handlers.running {
			handlers.running = true
			go loop()
		}
	})
}

func Stop(c chan<- os.Signal) {
	handlers.Lock()
	defer handlers.Unlock()
	if s, ok := handlers.wanted[c]; ok {
		delete(handlers.wanted, c)
		for n, wanted := range s {
			if wanted {
				drop(n)
			}
		}
	}
}

// drop counts one channel less that wants the signal.
func drop(n int) {
	if handlers.counts[n]--; handlers.counts[n] == 0 {
		disable(n)
	}
}

// cancel undoes all Notify calls for the signals, and then does what is to happen to them.
func cancel(sigs []os.Signal, then func(int)) {
	handlers.Lock()
	defer handlers.Unlock()
	each(sigs, func(n int) {
		for c, s := range handlers.wanted {
			if s[n] {
				handlers.counts[n]--
				s[n] = false
				if *s == (set{}) {
					delete(handlers.wanted, c)
				}
			}
		}
		then(n)
	})
}

func Ignore(sig ...os.Signal) { cancel(sig, ignore) }
func Reset(sig ...os.Signal)  { cancel(sig, disable) }

func Ignored(sig os.Signal) bool {
	n := number(sig)
	return n >= 0 && ignored(n)
}

func NotifyContext(parent context.Context, signals ...os.Signal) (ctx context.Context, stop context.CancelFunc) {
	c := &signalCtx{signals: signals}
	var end context.CancelCauseFunc
	c.Context, end = context.WithCancelCause(parent)
	arrived := make(chan os.Signal, 1)
	Notify(arrived, signals...)
	stop = func() {
		end(nil)
		Stop(arrived)
	}
	if c.Err() != nil {
		return c, stop
	}
	go func() {
		select {
		case <-c.Done():
		case s := <-arrived:
			end(signalError(s.String() + " signal received"))
		}
	}()
	return c, stop
}

type signalError string

func (e signalError) Error() string        { return string(e) }
func (e signalError) Is(target error) bool { return target == context.Canceled }

type signalCtx struct {
	context.Context
	signals []os.Signal
}

func (c *signalCtx) String() string {
	const suffix = ".WithCancel"
	name := c.Context.(interface{ String() string }).String()
	text := "signal.NotifyContext(" + name[:len(name)-len(suffix)]
	for i, s := range c.signals {
		if i == 0 {
			text += ", ["
		} else {
			text += " "
		}
		text += s.String()
	}
	if len(c.signals) > 0 {
		text += "]"
	}
	return text + ")"
}
