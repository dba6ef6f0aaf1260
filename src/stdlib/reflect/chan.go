package reflect

import "unsafe"

// MakeChan returns a new channel.
func MakeChan(typ Type, buffer int) Value {
	t := typ.base()
	switch {
	case Kind(t.kind) != Chan:
		panic("reflect.MakeChan of non-chan type")
	case buffer < 0:
		panic("reflect.MakeChan: negative buffer size")
	case ChanDir(t.dir) != BothDir:
		panic("reflect.MakeChan: unidirectional channel type")
	}
	return Value{pack(t, makeChan(t, buffer)), flag(Chan)}
}

// Close closes a channel.
func (v Value) Close() {
	v.must(Chan, "Close")
	v.needPublic("Close")
	if ChanDir(v.typ().dir)&SendDir == 0 {
		panic("reflect: close of receive-only channel")
	}
	closeChan(v.pointer())
}

// inChannel makes a variable with v as channels with elements of type t have it.
func (v Value) inChannel(t *rtype) unsafe.Pointer {
	p := newElement(t)
	putElement(p, v)
	return p
}

// fromChannel is what has been received at p.
func fromChannel(t *rtype, p unsafe.Pointer, ok bool) Value {
	if t.flags&isDirect != 0 {
		w := packBits(t, 0)
		if ok {
			w = packElement(t, p)
		}
		return Value{w, flag(t.kind)}
	}
	if ok && t.size > byReference {
		p = *(*unsafe.Pointer)(p)
	} else if !ok {
		p = newObjects(t, 1)
	}
	return variable(t, p, 0)
}

// What is larger travels by its address.
const byReference = 4096

// Recv receives a value, the zero Value's type's zero value once the channel is closed.
func (v Value) Recv() (x Value, ok bool) {
	v.must(Chan, "Recv")
	v.needPublic("Recv")
	return v.recv(true)
}

// TryRecv receives a value if there is one: the zero Value otherwise.
func (v Value) TryRecv() (x Value, ok bool) {
	v.must(Chan, "TryRecv")
	v.needPublic("TryRecv")
	return v.recv(false)
}

func (v Value) recv(waits bool) (x Value, ok bool) {
	t := v.typ()
	if ChanDir(t.dir)&RecvDir == 0 {
		panic("reflect: recv on send-only channel")
	}
	p := newElement(t.elem)
	cases := []chanCase{{v.pointer(), p, false}}
	chosen, ok := choose(cases, waits)
	if chosen < 0 {
		return Value{}, false
	}
	return fromChannel(t.elem, p, ok), ok
}

// Send sends x.
func (v Value) Send(x Value) {
	v.must(Chan, "Send")
	v.needPublic("Send")
	v.send(x, true)
}

// TrySend sends x if that needs no waiting.
func (v Value) TrySend(x Value) bool {
	v.must(Chan, "TrySend")
	v.needPublic("TrySend")
	return v.send(x, false)
}

func (v Value) send(x Value, waits bool) bool {
	t := v.typ()
	if ChanDir(t.dir)&SendDir == 0 {
		panic("reflect: send on recv-only channel")
	}
	x.needPublic("Send")
	x = x.fitTo("reflect.Value.Send", t.elem)
	cases := []chanCase{{v.pointer(), x.inChannel(t.elem), true}}
	chosen, _ := choose(cases, waits)
	return chosen == 0
}

// A SelectDir says what a case of Select is.
type SelectDir int

const (
	_ SelectDir = iota
	SelectSend
	SelectRecv
	SelectDefault
)

// A SelectCase is a case of Select.
type SelectCase struct {
	Dir  SelectDir
	Chan Value
	Send Value
}

// chanCase is a case as the run-time system has it.
type chanCase struct {
	c     unsafe.Pointer
	elem  unsafe.Pointer
	sends bool
}

// channel is the type of a case's channel, nil if it has none.
func (c *SelectCase) channel(dir ChanDir, wrongDir string) *rtype {
	if !c.Chan.IsValid() {
		return nil
	}
	c.Chan.must(Chan, noMethod)
	c.Chan.needPublic(noMethod)
	t := c.Chan.typ()
	if ChanDir(t.dir)&dir == 0 {
		panic("reflect.Select: " + wrongDir)
	}
	return t
}

// prepared is a case that is no default for the run-time system: one without a channel is never
// chosen.
func (c *SelectCase) prepared() (ready chanCase) {
	hasValue := c.Send.IsValid()
	if c.Dir == SelectSend {
		t := c.channel(SendDir, "SendDir case using recv-only channel")
		if t == nil {
			return ready
		}
		if !hasValue {
			panic("reflect.Select: SendDir case missing Send value")
		}
		c.Send.needPublic(noMethod)
		x := c.Send.fitTo("reflect.Select", t.elem)
		return chanCase{c.Chan.pointer(), x.inChannel(t.elem), true}
	}
	if hasValue {
		panic("reflect.Select: RecvDir case has Send value")
	}
	if t := c.channel(RecvDir, "RecvDir case using send-only channel"); t != nil {
		ready = chanCase{c.Chan.pointer(), newElement(t.elem), false}
	}
	return ready
}

// Select does what a select statement with these cases does.
func Select(cases []SelectCase) (chosen int, recv Value, recvOK bool) {
	if len(cases) > 65536 {
		panic("reflect.Select: too many cases (max 65536)")
	}
	list := make([]chanCase, len(cases))
	otherwise := -1
	for i := range cases {
		c := cases[i]
		if c.Dir != SelectDefault {
			if c.Dir != SelectSend && c.Dir != SelectRecv {
				panic("reflect.Select: invalid Dir")
			}
			list[i] = c.prepared()
			continue
		}
		wrong := ""
		switch {
		case otherwise >= 0:
			wrong = "multiple default cases"
		case c.Chan.IsValid():
			wrong = "default case has Chan value"
		case c.Send.IsValid():
			wrong = "default case has Send value"
		}
		if wrong != "" {
			panic("reflect.Select: " + wrong)
		}
		otherwise = i
	}
	chosen, recvOK = choose(list, otherwise < 0)
	if chosen < 0 {
		return otherwise, Value{}, false
	}
	if cases[chosen].Dir == SelectSend {
		return chosen, Value{}, false
	}
	t := cases[chosen].Chan.typ().elem
	return chosen, fromChannel(t, list[chosen].elem, recvOK), recvOK
}

func makeChan(t *rtype, n int) unsafe.Pointer
func closeChan(c unsafe.Pointer)

// newElement returns room for an element of type t as channels have it.
func newElement(t *rtype) unsafe.Pointer

// putElement writes v there.
func putElement(p unsafe.Pointer, v Value)

// packElement makes an any of an element there whose type is direct.
func packElement(t *rtype, p unsafe.Pointer) any

// choose does the first of cases that can be done, waiting for it if waits; -1 if none can.
func choose(cases []chanCase, waits bool) (chosen int, ok bool)
