// run

// Package encoding/binary: structs, arrays, named types, orders of one's own, and what is refused.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

type level uint8
type port uint16

type point struct{ X, Y int16 }

type header struct {
	Magic   [4]byte
	Version level
	_       [3]byte
	Flags   uint32
	Ports   [2]port
	Points  [2]point
	On      bool
	Ratio   float32
	Wave    complex64
	Wide    complex128
	Empty   struct{}
	None    [0]uint64
	Grid    [2][3]int8
	Rows    [2]struct {
		A uint8
		B uint64
	}
	_ uint16
	Z int64
}

type hidden struct {
	A uint8
	b uint16
}

type inner struct {
	P uint16
	q uint8
}

type embeds struct {
	inner
	R uint8
}

type outer struct {
	in inner
}

// middle is an order of one's own: it swaps the halves of what big-endian would write.
type middle struct{}

func (middle) Uint16(b []byte) uint16       { return binary.BigEndian.Uint16(b) }
func (middle) Uint32(b []byte) uint32       { return uint32(middle{}.Uint16(b)) | uint32(middle{}.Uint16(b[2:]))<<16 }
func (middle) Uint64(b []byte) uint64       { return uint64(middle{}.Uint32(b)) | uint64(middle{}.Uint32(b[4:]))<<32 }
func (middle) PutUint16(b []byte, v uint16) { binary.BigEndian.PutUint16(b, v) }
func (middle) PutUint32(b []byte, v uint32) {
	middle{}.PutUint16(b, uint16(v))
	middle{}.PutUint16(b[2:], uint16(v>>16))
}
func (middle) PutUint64(b []byte, v uint64) {
	middle{}.PutUint32(b, uint32(v))
	middle{}.PutUint32(b[4:], uint32(v>>32))
}
func (middle) String() string { return "middle" }

func try(name string, f func() error) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, "panics:", r)
		}
	}()
	fmt.Println(name, f())
}

func main() {
	h := header{
		Magic: [4]byte{'G', 'o', 's', 'h'}, Version: 3, Flags: 0xdeadbeef, Ports: [2]port{80, 443}, Points: [2]point{{1, -2}, {3, -4}},
		On: true, Ratio: 1.25, Wave: 1 + 2i, Wide: -3.5 + 4i, Grid: [2][3]int8{{1, 2, 3}, {-1, -2, -3}}, Z: -7,
	}
	h.Rows[0].A, h.Rows[1].B = 9, 1<<40+1
	orders := []binary.ByteOrder{binary.LittleEndian, binary.BigEndian, binary.NativeEndian, middle{}}
	fmt.Println(binary.Size(h), binary.Size(&h), binary.Size([]header{h, h}), binary.Size([3]header{}), binary.Size((*header)(nil)))
	for _, o := range orders {
		var w bytes.Buffer
		fmt.Println(o, binary.Write(&w, o, &h))
		fmt.Printf("%x\n", w.Bytes())
		b, err := binary.Append([]byte{1}, o, h)
		fmt.Println(err, bytes.Equal(b[1:], w.Bytes()))
		c := bytes.Repeat([]byte{0xff}, len(b))
		n, err := binary.Encode(c, o, []header{h}[0])
		fmt.Println(n, err, bytes.Equal(c[:n], w.Bytes()), c[n])
		var back header
		back.Version = 200
		fmt.Println(binary.Read(bytes.NewReader(w.Bytes()), o, &back), back == h)
		two := make([]header, 2)
		n, err = binary.Decode(append(w.Bytes(), w.Bytes()...), o, two)
		fmt.Println(n, err, two[0] == h, two[1] == h)
		grid := [][2]port{{1, 2}, {3, 4}}
		b, err = binary.Append(nil, o, grid)
		fmt.Printf("%x %v ", b, err)
		b[0] = 77
		n, err = binary.Decode(b, o, &grid)
		fmt.Println(n, err, grid)
	}
	var flag bool
	var flags [3]bool
	n, err := binary.Decode([]byte{7}, binary.BigEndian, &flag)
	fmt.Println(n, err, flag)
	n, err = binary.Decode([]byte{0, 2, 255}, binary.BigEndian, &flags)
	fmt.Println(n, err, flags)

	// What is not exported can be written but not read.
	b, err := binary.Append(nil, binary.BigEndian, hidden{1, 2})
	fmt.Println(b, err)
	b, err = binary.Append(nil, binary.BigEndian, embeds{inner{1, 2}, 3})
	fmt.Println(b, err)
	hid, emb, out := hidden{}, embeds{}, outer{}
	try("hidden", func() error { return binary.Read(bytes.NewReader(make([]byte, 9)), binary.LittleEndian, &hid) })
	try("embeds", func() error { return binary.Read(bytes.NewReader([]byte{1, 2, 3, 4, 5}), binary.LittleEndian, &emb) })
	try("outer", func() error { return binary.Read(bytes.NewReader([]byte{1, 2, 3, 4, 5}), binary.LittleEndian, &out) })
	fmt.Println(hid, emb, out)

	var nilSlice []point
	var number int16 = 5
	var text = "text"
	for _, v := range []any{
		nil, 1, uint(2), text, &text, []string{"a"}, []int{}, struct{ A int }{}, struct{ P *int8 }{}, map[int8]int8{}, (*point)(nil), [2]string{},
		[0]string{}, struct{}{}, [0]int{}, nilSlice, &nilSlice, number, &number, level(3), []level{1, 2}, point{1, 2}, [2]point{}, []struct{}{{}, {}},
		(*int16)(nil), (*[]byte)(nil), func() {}, make(chan int), any(nil), struct{ E error }{}, uintptr(1), []uintptr{}, &[]uint16{1, 2}, (*bool)(nil), (*complex64)(nil),
	} {
		fmt.Printf("%T %d\n", v, binary.Size(v))
		try(" Write", func() error { return binary.Write(io.Discard, binary.BigEndian, v) })
		try(" Append", func() error {
			b, err := binary.Append(nil, binary.LittleEndian, v)
			fmt.Print(b, " ")
			return err
		})
		try(" Encode", func() error {
			n, err := binary.Encode(make([]byte, 3), binary.LittleEndian, v)
			fmt.Print(n, " ")
			return err
		})
		try(" Read", func() error { return binary.Read(bytes.NewReader([]byte{1, 2, 3, 4, 5, 6, 7, 8}), binary.LittleEndian, v) })
		try(" Read little", func() error { return binary.Read(bytes.NewReader([]byte{1}), binary.LittleEndian, v) })
		try(" Decode", func() error {
			n, err := binary.Decode([]byte{1, 2, 3, 4, 5, 6, 7, 8}, binary.BigEndian, v)
			fmt.Print(n, " ")
			return err
		})
	}
	fmt.Println(number, nilSlice)

	// A buffer that is read into itself.
	raw := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	n, err = binary.Decode(raw[1:], binary.LittleEndian, raw[:7])
	fmt.Println(n, err, raw)
	n, err = binary.Encode(raw[2:], binary.BigEndian, raw[:6])
	fmt.Println(n, err, raw)

	big := make([]struct {
		A uint8
		B uint32
	}, 100000)
	for i := range big {
		big[i].A, big[i].B = uint8(i), uint32(i*i)
	}
	for _, o := range orders {
		var w bytes.Buffer
		err := binary.Write(&w, o, big)
		again := make([]struct {
			A uint8
			B uint32
		}, len(big))
		sum := uint32(0)
		for _, b := range w.Bytes() {
			sum = sum*31 + uint32(b)
		}
		fmt.Println(err, w.Len(), sum, binary.Read(&w, o, again), again[99999], again[77777] == big[77777])
	}
}
