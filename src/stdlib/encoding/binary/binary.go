// Package binary: numbers as bytes, in fixed and in variable length.
package binary

import (
	"errors"
	"fmt"
	"io"
	"math/bits"
	"unsafe"
)

const (
	MaxVarintLen16 = 3
	MaxVarintLen32 = 5
	MaxVarintLen64 = 10
)

type ByteOrder interface {
	Uint16([]byte) uint16
	Uint32([]byte) uint32
	Uint64([]byte) uint64
	PutUint16([]byte, uint16)
	PutUint32([]byte, uint32)
	PutUint64([]byte, uint64)
	String() string
}

type AppendByteOrder interface {
	AppendUint16([]byte, uint16) []byte
	AppendUint32([]byte, uint32) []byte
	AppendUint64([]byte, uint64) []byte
	String() string
}

type (
	littleEndian struct{}
	bigEndian    struct{}
	nativeEndian struct{ littleEndian } // of the only machine there is
)

var (
	LittleEndian littleEndian
	BigEndian    bigEndian
	NativeEndian nativeEndian
)

func (littleEndian) String() string { return "LittleEndian" }
func (bigEndian) String() string    { return "BigEndian" }
func (nativeEndian) String() string { return "NativeEndian" }

func (littleEndian) GoString() string { return "binary.LittleEndian" }
func (bigEndian) GoString() string    { return "binary.BigEndian" }
func (nativeEndian) GoString() string { return "binary.NativeEndian" }

// ---- Fixed length. The machine is little-endian: there a number lies in memory as it is, and for
// the other order its bytes are turned round. The first index panics for what is too short.

func (littleEndian) Uint16(b []byte) uint16 {
	_ = b[1]
	return *(*uint16)(unsafe.Pointer(&b[0]))
}

func (littleEndian) PutUint16(b []byte, v uint16) {
	_ = b[1]
	*(*uint16)(unsafe.Pointer(&b[0])) = v
}

func (littleEndian) Uint32(b []byte) uint32 {
	_ = b[3]
	return *(*uint32)(unsafe.Pointer(&b[0]))
}

func (littleEndian) PutUint32(b []byte, v uint32) {
	_ = b[3]
	*(*uint32)(unsafe.Pointer(&b[0])) = v
}

func (littleEndian) Uint64(b []byte) uint64 {
	_ = b[7]
	return *(*uint64)(unsafe.Pointer(&b[0]))
}

func (littleEndian) PutUint64(b []byte, v uint64) {
	_ = b[7]
	*(*uint64)(unsafe.Pointer(&b[0])) = v
}

func (bigEndian) Uint16(b []byte) uint16       { return turn16(LittleEndian.Uint16(b)) }
func (bigEndian) PutUint16(b []byte, v uint16) { LittleEndian.PutUint16(b, turn16(v)) }
func (bigEndian) Uint32(b []byte) uint32       { return turn32(LittleEndian.Uint32(b)) }
func (bigEndian) PutUint32(b []byte, v uint32) { LittleEndian.PutUint32(b, turn32(v)) }
func (bigEndian) Uint64(b []byte) uint64       { return turn64(LittleEndian.Uint64(b)) }
func (bigEndian) PutUint64(b []byte, v uint64) { LittleEndian.PutUint64(b, turn64(v)) }

func turn16(v uint16) uint16 { return v<<8 | v>>8 }
func turn32(v uint32) uint32 { return uint32(bits.ReverseBytes64(uint64(v)) >> 32) }
func turn64(v uint64) uint64 { return bits.ReverseBytes64(v) }

func (littleEndian) AppendUint16(to []byte, v uint16) []byte { return append(to, byte(v), byte(v>>8)) }
func (bigEndian) AppendUint16(to []byte, v uint16) []byte    { return append(to, byte(v>>8), byte(v)) }

// For longer numbers room is made by zeros.

func (littleEndian) AppendUint32(b []byte, v uint32) []byte {
	b = append(b, 0, 0, 0, 0)
	*(*uint32)(unsafe.Pointer(&b[len(b)-4])) = v
	return b
}

func (littleEndian) AppendUint64(b []byte, v uint64) []byte {
	b = append(b, 0, 0, 0, 0, 0, 0, 0, 0)
	*(*uint64)(unsafe.Pointer(&b[len(b)-8])) = v
	return b
}

func (bigEndian) AppendUint32(b []byte, v uint32) []byte {
	b = append(b, 0, 0, 0, 0)
	*(*uint32)(unsafe.Pointer(&b[len(b)-4])) = turn32(v)
	return b
}

func (bigEndian) AppendUint64(b []byte, v uint64) []byte {
	b = append(b, 0, 0, 0, 0, 0, 0, 0, 0)
	*(*uint64)(unsafe.Pointer(&b[len(b)-8])) = bits.ReverseBytes64(v)
	return b
}

// ---- Variable length: seven bits in each byte, the lowest first.

func AppendUvarint(buf []byte, x uint64) []byte {
	for ; x > 0x7f; x >>= 7 {
		buf = append(buf, byte(x)|0x80)
	}
	return append(buf, byte(x))
}

func PutUvarint(buf []byte, x uint64) int {
	last := 0
	for ; x > 0x7f; x >>= 7 {
		buf[last] = byte(x) | 0x80
		last++
	}
	buf[last] = byte(x)
	return last + 1
}

func Uvarint(buf []byte) (uint64, int) {
	var x uint64
	for i, b := range buf {
		if i == MaxVarintLen64 || i == MaxVarintLen64-1 && b > 1 && b < 0x80 {
			return 0, -(i + 1)
		}
		x |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			return x, i + 1
		}
	}
	return 0, 0
}

// zigzag puts the sign into the lowest bit.
func zigzag(x int64) uint64   { return uint64(x)<<1 ^ uint64(x>>63) }
func unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

func AppendVarint(buf []byte, x int64) []byte { return AppendUvarint(buf, zigzag(x)) }
func PutVarint(buf []byte, x int64) int       { return PutUvarint(buf, zigzag(x)) }

func Varint(buf []byte) (int64, int) {
	u, n := Uvarint(buf)
	return unzigzag(u), n
}

var errTooLong = errors.New("binary: varint overflows a 64-bit integer")

func ReadUvarint(r io.ByteReader) (uint64, error) {
	var x uint64
	for i := range MaxVarintLen64 {
		b, err := r.ReadByte()
		switch {
		case err == io.EOF && i > 0:
			return x, io.ErrUnexpectedEOF
		case err != nil:
			return x, err
		}
		if i == MaxVarintLen64-1 && b > 1 && b < 0x80 {
			return x, errTooLong
		}
		x |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			return x, nil
		}
	}
	return x, errTooLong
}

func ReadVarint(r io.ByteReader) (int64, error) {
	u, err := ReadUvarint(r)
	return unzigzag(u), err
}

// ---- Fixed length. A value, or what it points to, is count elements of size bytes each.

// shape tells the bytes of an element as they are written, and how many elements there are. The size is -1 if it is not fixed, and -2 of a
// nil pointer to a number.
func shape(v any) (size, count int)

// pattern lists the sizes of the numbers of one element.
func pattern(v any) []byte

// isPlace tells whether v is a pointer or a slice.
func isPlace(v any) bool

// pack writes v to b, and unpack reads it from there, lowest bytes first.
func pack(b []byte, v any)
func unpack(v any, b []byte)

var errNoRoom = errors.New("buffer too small")

func Size(v any) int {
	size, count := shape(v)
	if size < 0 {
		return -1
	}
	return size * count
}

// sizeFor is the size of what shall be written.
func sizeFor(name string, data any) (int, error) {
	size, count := shape(data)
	if size == -2 {
		followNil()
	}
	if size < 0 {
		return 0, fmt.Errorf("binary.%s: some values are not fixed-sized in type %s", name, typeName(data))
	}
	return size * count, nil
}

// followNil panics as the use of a nil pointer does.
func followNil() {
	var none *int
	*none = 0
}

// typeName is for errors; without a value there is no type to ask.
func typeName(v any) string {
	if v == nil {
		followNil()
	}
	return fmt.Sprintf("%T", v)
}

// convert copies numbers of the given sizes, again and again, from one order to another. The ranges may be the same.
func convert(to []byte, putter ByteOrder, from []byte, getter ByteOrder, sizes []byte) {
	at := 0
	for at < len(from) {
		for _, size := range sizes {
			next := at + int(size)
			src, dst := from[at:next], to[at:next]
			switch size {
			case 1:
				dst[0] = src[0]
			case 2:
				putter.PutUint16(dst, getter.Uint16(src))
			case 4:
				putter.PutUint32(dst, getter.Uint32(src))
			case 8:
				putter.PutUint64(dst, getter.Uint64(src))
			}
			at = next
		}
	}
}

// isLowFirst tells whether an order is that of pack.
func isLowFirst(order ByteOrder) bool {
	switch order.(type) {
	case littleEndian, nativeEndian:
		return true
	}
	return false
}

func encode(b []byte, order ByteOrder, data any) {
	pack(b, data)
	if !isLowFirst(order) {
		convert(b, order, b, LittleEndian, pattern(data))
	}
}

func decode(b []byte, order ByteOrder, data any) {
	if !isLowFirst(order) {
		low := make([]byte, len(b))
		convert(low, LittleEndian, b, order, pattern(data))
		b = low
	}
	unpack(data, b)
}

func Append(buf []byte, order ByteOrder, data any) ([]byte, error) {
	size, err := sizeFor("Append", data)
	if err != nil {
		return nil, err
	}
	buf = append(buf, make([]byte, size)...)
	encode(buf[len(buf)-size:], order, data)
	return buf, nil
}

func Encode(buf []byte, order ByteOrder, data any) (int, error) {
	size, err := sizeFor("Encode", data)
	if err != nil {
		return 0, err
	}
	if len(buf) < size {
		return 0, errNoRoom
	}
	encode(buf[:size], order, data)
	return size, nil
}

func Write(w io.Writer, order ByteOrder, data any) error {
	size, err := sizeFor("Write", data)
	if err != nil {
		return err
	}
	b, ok := data.([]byte)
	if !ok {
		b = make([]byte, size)
		encode(b, order, data)
	}
	_, err = w.Write(b)
	return err
}

// input reads what data shall be set from, by need, which gives so many bytes. Numbers that are no variables are found out too late.
func input(name string, data any, need func(n int) ([]byte, error)) ([]byte, error) {
	size, count := shape(data)
	late := false
	switch data.(type) {
	case bool, int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64:
		late = true
	default:
		if size == -2 {
			size, count = nilNumberSize(data), 1
		} else if size >= 0 && !isPlace(data) {
			size = -1
		}
	}
	if size < 0 {
		return nil, fmt.Errorf("binary.%s: invalid type %s", name, typeName(data))
	}
	b, err := need(size * count)
	if err == nil && late {
		err = fmt.Errorf("binary.%s: invalid type %s", name, typeName(data))
	}
	return b, err
}

// nilNumberSize is how much is read before a nil pointer is followed.
func nilNumberSize(p any) int {
	switch p.(type) {
	case *bool, *int8, *uint8:
		return 1
	case *int16, *uint16:
		return 2
	case *int32, *uint32, *float32:
		return 4
	}
	return 8
}

func Decode(buf []byte, order ByteOrder, data any) (int, error) {
	b, err := input("Decode", data, func(n int) ([]byte, error) {
		if len(buf) < n {
			return nil, errNoRoom
		}
		return buf[:n], nil
	})
	if err != nil {
		return 0, err
	}
	set(b, order, data)
	return len(b), nil
}

func Read(r io.Reader, order ByteOrder, data any) error {
	b, err := input("Read", data, func(n int) ([]byte, error) {
		b := make([]byte, n)
		_, err := io.ReadFull(r, b)
		return b, err
	})
	if err == nil {
		set(b, order, data)
	}
	return err
}

// set is decode, which follows even a nil pointer.
func set(b []byte, order ByteOrder, data any) {
	if size, _ := shape(data); size == -2 {
		followNil()
	}
	decode(b, order, data)
}
