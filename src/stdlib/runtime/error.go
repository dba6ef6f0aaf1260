package runtime

// The errors that the virtual machine panics with. Their names show in %T; what they say of themselves is always compiled.

type Error interface {
	error
	RuntimeError()
}

type errorString string

func (e errorString) Error() string

func (e errorString) RuntimeError() {}

type plainError string

func (e plainError) Error() string

func (e plainError) RuntimeError() {}

// A boundsError says which index was out of which bounds.
type boundsError struct {
	x      int64
	y      int
	signed bool
	code   uint8
}

func (e boundsError) Error() string

func (e boundsError) RuntimeError() {}

// A TypeAssertionError says which assertion failed, by descriptors of types.
type TypeAssertionError struct {
	iface, concrete, asserted uintptr
}

func (e *TypeAssertionError) Error() string

func (*TypeAssertionError) RuntimeError() {}

// A PanicNilError is what panic(nil) panics with.
type PanicNilError struct {
	_ [0]func()
}

func (e *PanicNilError) Error() string

func (*PanicNilError) RuntimeError() {}
