// run

// Package encoding/binary: orders, varints, plain numbers.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

func main() {
	b := make([]byte, 8)
	for _, o := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian, binary.NativeEndian} {
		o.PutUint16(b, 0x1234)
		o.PutUint32(b[2:], 0xdeadbeef)
		fmt.Printf("%v %x %x %x\n", o, b, o.Uint16(b), o.Uint32(b[2:]))
		o.PutUint64(b, 0x0123456789abcdef)
		fmt.Printf("%x %x\n", b, o.Uint64(b))
		a := o.(binary.AppendByteOrder)
		fmt.Printf("%x %#v\n", a.AppendUint64(a.AppendUint32(a.AppendUint16(nil, 1), 2), 3), o)
		func() {
			defer func() { fmt.Println(recover()) }()
			o.Uint32(b[:3])
		}()
	}
	for _, x := range []int64{0, 1, -1, 63, -64, 64, 300, -300, math.MaxInt64, math.MinInt64} {
		p := binary.AppendVarint(nil, x)
		y, n := binary.Varint(p)
		q := make([]byte, 10)
		k := binary.PutVarint(q, x)
		z, err := binary.ReadVarint(bytes.NewReader(p))
		u, m := binary.Uvarint(p)
		fmt.Printf("%x %d %d %t %d %v %d %d\n", p, y, n, bytes.Equal(p, q[:k]), z, err, u, m)
	}
	for _, p := range [][]byte{{}, {0x80}, bytes.Repeat([]byte{0xff}, 9), bytes.Repeat([]byte{0xff}, 10), bytes.Repeat([]byte{0xff}, 11), append(bytes.Repeat([]byte{0xff}, 9), 2),
		append(bytes.Repeat([]byte{0xff}, 9), 1)} {
		x, n := binary.Uvarint(p)
		y, err := binary.ReadUvarint(bytes.NewReader(p))
		fmt.Println(x, n, y, err)
	}
	n8, n16, n32, n64 := int8(-2), uint16(3), int32(-4), uint64(5)
	for _, v := range []any{true, n8, n16, n32, n64, float32(1.5), 2.5, &n8, &n32, []int16{1, -2}, []float64{1, 2}, []bool{true, false}, []byte("abc"), []uint32{}, 7, "text", map[int]int{}} {
		fmt.Print(binary.Size(v), " ")
		var w bytes.Buffer
		err := binary.Write(&w, binary.BigEndian, v)
		fmt.Printf("%x %v\n", w.Bytes(), err)
		a, err := binary.Append([]byte{9}, binary.LittleEndian, v)
		fmt.Printf("%x %v ", a, err)
		k, err := binary.Encode(b[:4], binary.LittleEndian, v)
		fmt.Println(k, err)
	}
	r := bytes.NewReader([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})
	var flag bool
	var i16 int16
	list := make([]uint16, 3)
	fmt.Println(binary.Read(r, binary.BigEndian, &flag), binary.Read(r, binary.LittleEndian, &i16), binary.Read(r, binary.BigEndian, list), flag, i16, list)
	var f float64
	fmt.Println(binary.Read(r, binary.BigEndian, &f), binary.Read(r, binary.BigEndian, &f))
	k, err := binary.Decode([]byte{0, 0, 0x80, 0x3f, 9}, binary.LittleEndian, new(float32))
	fmt.Println(k, err)
	k, err = binary.Decode([]byte{0}, binary.LittleEndian, &i16)
	fmt.Println(k, err, binary.Read(r, binary.BigEndian, i16) != nil)
}
