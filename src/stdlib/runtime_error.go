package runtime

// The errors that the virtual machine panics with. Their names show in %T, their methods are always compiled.

type Error interface {
	error
	RuntimeError()
}

type errorString string

func (e errorString) RuntimeError() {}
func (e errorString) Error() string { return "runtime error: " + string(e) }

type plainError string

func (e plainError) RuntimeError() {}
func (e plainError) Error() string { return string(e) }

type boundsError struct {
	x      int64
	y      int
	signed bool
	code   uint8
}

func (e boundsError) RuntimeError() {}

// Formats by code: %x is the index, %y the length or capacity. Those with %y come in a form without, for negative indices.
var boundsFormats = [...]string{
	"index out of range [%x] with length %y",
	"slice bounds out of range [:%x] with length %y",
	"slice bounds out of range [:%x] with capacity %y",
	"slice bounds out of range [%x:%y]",
	"slice bounds out of range [::%x] with length %y",
	"slice bounds out of range [::%x] with capacity %y",
	"slice bounds out of range [:%x:%y]",
	"slice bounds out of range [%x:%y:]",
	"cannot convert slice with length %y to array or pointer to array with length %x",
}

var negativeBoundsFormats = [...]string{
	"index out of range [%x]",
	"slice bounds out of range [:%x]",
	"slice bounds out of range [:%x]",
	"slice bounds out of range [%x:]",
	"slice bounds out of range [::%x]",
	"slice bounds out of range [::%x]",
	"slice bounds out of range [:%x:]",
	"slice bounds out of range [%x::]",
}

func (e boundsError) Error() string {
	format := boundsFormats[e.code]
	if e.signed && e.x < 0 && int(e.code) < len(negativeBoundsFormats) {
		format = negativeBoundsFormats[e.code]
	}
	b := []byte("runtime error: ")
	for i := 0; i < len(format); i++ {
		c := format[i]
		if c != '%' {
			b = append(b, c)
			continue
		}
		i++
		if format[i] == 'y' {
			b = appendInt(b, int64(e.y), true)
		} else {
			b = appendInt(b, e.x, e.signed)
		}
	}
	return string(b)
}

func appendInt(b []byte, v int64, signed bool) []byte {
	u := uint64(v)
	if signed && v < 0 {
		b = append(b, '-')
		u = -u
	}
	var buf [20]byte
	i := len(buf)
	for {
		i--
		buf[i] = byte('0' + u%10)
		u /= 10
		if u == 0 {
			break
		}
	}
	return append(b, buf[i:]...)
}

// A TypeAssertionError says which assertion failed.
type TypeAssertionError struct {
	iface, concrete, asserted string
	missingMethod             string
}

func (*TypeAssertionError) RuntimeError() {}

func (e *TypeAssertionError) Error() string {
	iface := e.iface
	if iface == "" {
		iface = "interface"
	}
	if e.concrete == "" {
		return "interface conversion: " + iface + " is nil, not " + e.asserted
	}
	if e.missingMethod == "" {
		s := "interface conversion: " + iface + " is " + e.concrete + ", not " + e.asserted
		if e.concrete == e.asserted {
			s += " (types from different scopes)"
		}
		return s
	}
	return "interface conversion: " + e.concrete + " is not " + e.asserted + ": missing method " + e.missingMethod
}

// A PanicNilError is what panic(nil) panics with.
type PanicNilError struct {
	_ [0]func()
}

func (*PanicNilError) RuntimeError() {}
func (*PanicNilError) Error() string { return "runtime error: panic called with nil argument" }

// errorsNew is what natives panic with where Go has errors.New.
type nativeError struct{ s string }

func (e *nativeError) Error() string { return e.s }
