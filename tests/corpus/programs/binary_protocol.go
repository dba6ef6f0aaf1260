// run

// A binary protocol: framed messages with checksums, variable-length numbers, bit fields, versions.
package main

import (
	"bufio"
	"bytes"
	"encoding"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"net"
	"slices"
)

type Kind uint8

const (
	Ping Kind = iota + 1
	Data
	Point
)

type Flags uint16

const (
	Urgent Flags = 1 << iota
	Compressed
	_
	Last
)

func (f Flags) String() string {
	s := ""
	for i, n := range []string{"urgent", "compressed", "?", "last"} {
		if f>>i&1 == 1 {
			s += n + "+"
		}
	}
	if s == "" {
		return "none"
	}
	return s[:len(s)-1]
}

type Header struct {
	Magic   [2]byte
	Version uint8
	Kind    Kind
	Flags   Flags
	Size    uint32
}

type Body interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

type PingBody struct{ Time int64 }

func (p *PingBody) MarshalBinary() ([]byte, error) { return binary.AppendVarint(nil, p.Time), nil }
func (p *PingBody) UnmarshalBinary(b []byte) error {
	v, n := binary.Varint(b)
	if n <= 0 || n != len(b) {
		return fmt.Errorf("ping: bad number of %d bytes", n)
	}
	p.Time = v
	return nil
}

type DataBody struct {
	Name  string
	Parts [][]byte
}

func (d *DataBody) MarshalBinary() ([]byte, error) {
	b := binary.AppendUvarint(nil, uint64(len(d.Name)))
	b = append(b, d.Name...)
	b = binary.AppendUvarint(b, uint64(len(d.Parts)))
	for _, p := range d.Parts {
		b = binary.AppendUvarint(b, uint64(len(p)))
		b = append(b, p...)
	}
	return b, nil
}

func (d *DataBody) UnmarshalBinary(b []byte) error {
	r := bytes.NewReader(b)
	chunk := func() ([]byte, error) {
		n, err := binary.ReadUvarint(r)
		if err != nil {
			return nil, err
		}
		if n > uint64(r.Len()) {
			return nil, io.ErrUnexpectedEOF
		}
		c := make([]byte, n)
		_, err = io.ReadFull(r, c)
		return c, err
	}
	name, err := chunk()
	if err != nil {
		return fmt.Errorf("data: name: %w", err)
	}
	d.Name = string(name)
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return fmt.Errorf("data: count: %w", err)
	}
	for i := range n {
		c, err := chunk()
		if err != nil {
			return fmt.Errorf("data: part %d: %w", i, err)
		}
		d.Parts = append(d.Parts, c)
	}
	return nil
}

type PointBody struct {
	X, Y   float64
	Weight float32
	ID     [4]uint16
	Ok     bool
}

func (p *PointBody) MarshalBinary() ([]byte, error) {
	return binary.Append(nil, binary.LittleEndian, p)
}
func (p *PointBody) UnmarshalBinary(b []byte) error {
	n, err := binary.Decode(b, binary.LittleEndian, p)
	if err == nil && n != len(b) {
		err = fmt.Errorf("%d bytes too many", len(b)-n)
	}
	return err
}

var (
	errMagic    = errors.New("not our protocol")
	errChecksum = errors.New("checksum does not match")
	bodies      = map[Kind]func() Body{
		Ping:  func() Body { return new(PingBody) },
		Data:  func() Body { return new(DataBody) },
		Point: func() Body { return new(PointBody) },
	}
	table = crc32.MakeTable(crc32.Castagnoli)
)

func kindOf(b Body) Kind {
	switch b.(type) {
	case *PingBody:
		return Ping
	case *DataBody:
		return Data
	default:
		return Point
	}
}

func Write(w io.Writer, b Body, f Flags) error {
	payload, err := b.MarshalBinary()
	if err != nil {
		return err
	}
	h := Header{[2]byte{'B', 'P'}, 1, kindOf(b), f, uint32(len(payload))}
	buf := new(bytes.Buffer)
	binary.Write(buf, binary.BigEndian, h)
	buf.Write(payload)
	binary.Write(buf, binary.BigEndian, crc32.Checksum(buf.Bytes(), table))
	_, err = buf.WriteTo(w)
	return err
}

func Read(r io.Reader) (b Body, f Flags, err error) {
	sum := crc32.New(table)
	tr := io.TeeReader(r, sum)
	var h Header
	if err := binary.Read(tr, binary.BigEndian, &h); err != nil {
		return nil, 0, err
	}
	if string(h.Magic[:]) != "BP" {
		return nil, 0, fmt.Errorf("%w: %q", errMagic, h.Magic[:])
	}
	if h.Version != 1 || bodies[h.Kind] == nil {
		return nil, 0, fmt.Errorf("version %d kind %d: %w", h.Version, h.Kind, errors.ErrUnsupported)
	}
	if h.Size > 1<<20 {
		return nil, 0, fmt.Errorf("%d bytes are too many", h.Size)
	}
	payload := make([]byte, h.Size)
	if _, err := io.ReadFull(tr, payload); err != nil {
		return nil, 0, fmt.Errorf("payload: %w", err)
	}
	want := sum.Sum32()
	var got uint32
	if err := binary.Read(r, binary.BigEndian, &got); err != nil {
		return nil, 0, fmt.Errorf("sum: %w", err)
	}
	if got != want {
		return nil, 0, errChecksum
	}
	b = bodies[h.Kind]()
	return b, h.Flags, b.UnmarshalBinary(payload)
}

func main() {
	messages := []struct {
		b Body
		f Flags
	}{
		{&PingBody{-1}, 0}, {&PingBody{math.MaxInt64}, Urgent},
		{&DataBody{"näme", [][]byte{[]byte("one"), nil, bytes.Repeat([]byte{7}, 200)}},
			Compressed | Last},
		{&DataBody{}, 0},
		{&PointBody{1.5, math.Inf(-1), 0.1, [4]uint16{1, 2, 3, 65535}, true}, 5},
	}
	var all bytes.Buffer
	for _, m := range messages {
		before := all.Len()
		if err := Write(&all, m.b, m.f); err != nil {
			fmt.Println(err)
		}
		fmt.Println(all.Len()-before, hex.EncodeToString(all.Bytes()[before:min(all.Len(), before+40)]))
	}
	stream := slices.Clone(all.Bytes())
	for {
		b, f, err := Read(&all)
		if err == io.EOF {
			break
		}
		if d, ok := b.(*DataBody); ok {
			fmt.Printf("%q %d parts %v %v\n", d.Name, len(d.Parts), f, err)
			continue
		}
		fmt.Printf("%+v %v %v\n", b, f, err)
	}
	seen := map[string]int{}
	for i := range len(stream) {
		for _, bit := range []byte{1, 0x80} {
			bad := slices.Clone(stream)
			bad[i] ^= bit
			r := bytes.NewReader(bad)
			for {
				_, _, err := Read(r)
				if err == nil {
					continue
				}
				switch {
				case errors.Is(err, errChecksum):
					seen["checksum"]++
				case errors.Is(err, errMagic):
					seen["magic"]++
				case errors.Is(err, errors.ErrUnsupported):
					seen["unsupported"]++
				case errors.Is(err, io.ErrUnexpectedEOF):
					seen["cut"]++
				case err == io.EOF:
					seen["unnoticed"]++
				default:
					seen["other"]++
				}
				break
			}
		}
	}
	fmt.Println(seen)
	for _, b := range [][]byte{{}, {5}, {1, 'a', 2, 1, 'x'}, {0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
		0x80, 0x80, 0x80, 0x80, 1}} {
		fmt.Println(new(DataBody).UnmarshalBinary(b), new(PingBody).UnmarshalBinary(b),
			new(PointBody).UnmarshalBinary(b))
	}
	client, server := net.Pipe()
	go func() {
		w := bufio.NewWriter(client)
		for _, m := range messages {
			Write(w, m.b, m.f)
		}
		w.Flush()
		client.Close()
	}()
	n := 0
	for {
		_, _, err := Read(server)
		if err != nil {
			fmt.Println(n, err)
			break
		}
		n++
	}
	fmt.Println(binary.Size(Header{}), binary.Size(PointBody{}), binary.Size([]int{1}),
		binary.BigEndian, binary.LittleEndian.Uint32([]byte{1, 2, 3, 4}))
}
