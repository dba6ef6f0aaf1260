package http2

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"sync"
)

// HPACK, by RFC 7541: a header is a list of fields, many of which both sides know by a number.

// Field is a field of a header; the name is in lower case.
type Field struct {
	Name, Value string
}

// Size is what the field counts in limits and tables, in bytes.
func (f Field) Size() uint32 { return uint32(len(f.Name) + len(f.Value) + 32) }

// IsPseudo says whether the field belongs to the first line of a message.
func (f Field) IsPseudo() bool { return f.Name != "" && f.Name[0] == ':' }

// staticText has the fields that everybody knows, in the order of their numbers. RFC 7541,
// appendix A.
const staticText = ":authority|:method=GET|:method=POST|:path=/|:path=/index.html|:scheme=http|" +
	":scheme=https|:status=200|:status=204|:status=206|:status=304|:status=400|" +
	":status=404|:status=500|accept-charset|accept-encoding=gzip, deflate|" +
	"accept-language|accept-ranges|accept|access-control-allow-origin|age|allow|" +
	"authorization|cache-control|content-disposition|content-encoding|" +
	"content-language|content-length|content-location|content-range|content-type|" +
	"cookie|date|etag|expect|expires|from|host|if-match|if-modified-since|" +
	"if-none-match|if-range|if-unmodified-since|last-modified|link|location|" +
	"max-forwards|proxy-authenticate|proxy-authorization|range|referer|refresh|" +
	"retry-after|server|set-cookie|strict-transport-security|transfer-encoding|" +
	"user-agent|vary|via|www-authenticate"

// static is the static table; exact and named say where fields and names stand in it.
type static struct {
	fields []Field
	exact  map[Field]uint64
	named  map[string]uint64
}

var statics = sync.OnceValue(func() *static {
	s := &static{exact: make(map[Field]uint64), named: make(map[string]uint64)}
	for text := range strings.SplitSeq(staticText, "|") {
		name, value, _ := strings.Cut(text, "=")
		f := Field{name, value}
		s.fields = append(s.fields, f)
		n := uint64(len(s.fields))
		s.exact[f] = n
		// Of several fields of a name, the last one lends it.
		s.named[name] = n
	}
	return s
})

// table is a dynamic table: fields that were sent before, of which the oldest go first.
type table struct {
	fields []Field
	// So many fields have gone.
	gone uint64
	size uint32
	max  uint32
}

func (t *table) resize(max uint32, gone func(f Field, id uint64)) {
	t.max = max
	n := 0
	for t.size > t.max && n < len(t.fields) {
		f := t.fields[n]
		t.size -= f.Size()
		n++
		if gone != nil {
			gone(f, t.gone+uint64(n))
		}
	}
	if n > 0 {
		left := copy(t.fields, t.fields[n:])
		clear(t.fields[left:])
		t.fields = t.fields[:left]
		t.gone += uint64(n)
	}
}

func (t *table) add(f Field, gone func(f Field, id uint64)) {
	t.fields = append(t.fields, f)
	t.size += f.Size()
	t.resize(t.max, gone)
}

// startTable is how large a table is as long as nobody has said anything, in bytes.
const startTable = 4096

// Encoder encodes headers. Its zero value is not ready: see NewEncoder.
type Encoder struct {
	table table
	// Which field of the table, counted from the first that ever was, has the field or the name.
	exact map[Field]uint64
	named map[string]uint64
	// Whatever the other side allows, the table does not become larger than limit.
	limit uint32
	// The other side must be told of the size, and of the least that it had meanwhile.
	tells bool
	least uint32
}

// NewEncoder makes an encoder whose table is never larger than limit bytes.
func NewEncoder(limit uint32) *Encoder {
	e := &Encoder{
		exact: make(map[Field]uint64),
		named: make(map[string]uint64),
		limit: limit,
		least: ^uint32(0),
	}
	e.table.max = startTable
	if limit < startTable {
		e.tells = true
		e.table.max = limit
	}
	return e
}

// forget is called for a field that has gone from the table.
func (e *Encoder) forget(f Field, id uint64) {
	if e.named[f.Name] == id {
		delete(e.named, f.Name)
	}
	if e.exact[f] == id {
		delete(e.exact, f)
	}
}

// Resize has the table take as much as the other side allows.
func (e *Encoder) Resize(max uint32) {
	max = min(max, e.limit)
	e.least = min(e.least, max)
	e.tells = true
	e.table.resize(max, e.forget)
}

// Append appends a field to a block.
func (e *Encoder) Append(block []byte, name, value string) []byte {
	if e.tells {
		e.tells = false
		if e.least < e.table.max {
			block = appendInt(block, 0x20, 5, uint64(e.least))
		}
		e.least = ^uint32(0)
		block = appendInt(block, 0x20, 5, uint64(e.table.max))
	}
	s := statics()
	f := Field{name, value}
	if n := s.exact[f]; n != 0 {
		return appendInt(block, 0x80, 7, n)
	}
	// The newest field has the number behind the last one of the static table.
	number := func(id uint64) uint64 {
		return uint64(len(s.fields)) + e.table.gone + uint64(len(e.table.fields)) - id + 1
	}
	if id := e.exact[f]; id != 0 {
		return appendInt(block, 0x80, 7, number(id))
	}
	n := s.named[name]
	if n == 0 {
		if id := e.named[name]; id != 0 {
			n = number(id)
		}
	}
	if f.Size() <= e.table.max {
		id := e.table.gone + uint64(len(e.table.fields)) + 1
		e.exact[f], e.named[name] = id, id
		e.table.add(f, e.forget)
		block = appendInt(block, 0x40, 6, n)
	} else {
		block = appendInt(block, 0, 4, n)
	}
	if n == 0 {
		block = appendString(block, name)
	}
	return appendString(block, value)
}

// appendInt appends a number to a first byte that has room for some bits of it. What is more goes
// behind, as encoding/binary has it.
func appendInt(block []byte, first byte, bits uint, n uint64) []byte {
	most := uint64(1)<<bits - 1
	block = append(block, first|byte(min(n, most)))
	if n >= most {
		block = binary.AppendUvarint(block, n-most)
	}
	return block
}

func appendString(block []byte, s string) []byte {
	if n := huffmanLen(s); n < len(s) {
		return appendHuffman(appendInt(block, 0x80, 7, uint64(n)), s)
	}
	return append(appendInt(block, 0, 7, uint64(len(s))), s...)
}

// What is wrong with a block; errMore says that its rest has not come yet.
var (
	errMore   = errors.New("need more data")
	errBlock  = errors.New("malformed header block")
	errLength = errors.New("string too long")
)

// Decoder decodes headers, which may come in pieces.
type Decoder struct {
	table table
	// The other side may not make its table larger than that.
	most uint32
	// The piece at hand, and what could not be decoded of those before.
	buf, rest []byte
	// Nothing of the block has been read.
	atStart bool
	// What fields are handed to, unless they are skipped; strings may not be longer than that.
	emit   func(Field)
	skips  bool
	maxLen int
}

// NewDecoder makes a decoder that allows a table of so many bytes.
func NewDecoder(max uint32) *Decoder {
	d := &Decoder{most: max, atStart: true}
	d.table.max = max
	return d
}

// begin sets what the fields of the next block are handed to.
func (d *Decoder) begin(maxLen int, emit func(Field)) {
	d.maxLen, d.emit, d.skips = maxLen, emit, false
}

// write decodes a piece, and keeps what of it cannot be decoded yet.
func (d *Decoder) write(piece []byte) (err error) {
	d.buf = piece
	if len(d.rest) > 0 {
		d.buf, d.rest = append(d.rest, piece...), nil
	}
	for len(d.buf) > 0 && err == nil {
		if err = d.field(); err != errMore {
			d.atStart = false
		}
	}
	if err == errMore {
		// No field is longer than two strings with their lengths.
		const most = 8
		if d.maxLen != 0 && int64(len(d.buf)) > 2*(int64(d.maxLen)+most) {
			return errLength
		}
		d.rest, err = bytes.Clone(d.buf), nil
	}
	d.buf = nil
	return err
}

// end says whether the block is whole.
func (d *Decoder) end() error {
	d.emit = nil
	d.atStart = true
	if len(d.rest) > 0 {
		d.rest = nil
		return errBlock
	}
	return nil
}

// field decodes one field, or a change of the table's size.
func (d *Decoder) field() error {
	in := cursor{left: d.buf, maxLen: d.maxLen}
	switch first := d.buf[0]; {
	case first&0x80 != 0:
		n := in.int(7)
		f := in.at(d, n)
		if in.err != nil {
			return in.err
		}
		d.buf = in.left
		return d.give(f)
	case first&0xc0 == 0x40:
		return d.literal(in, 6, true)
	case first&0xe0 == 0:
		return d.literal(in, 4, false)
	}
	if !d.atStart && d.table.size > 0 {
		return errBlock
	}
	n := in.int(5)
	if in.err == nil && n > uint64(d.most) {
		in.err = errBlock
	}
	if in.err == nil {
		d.table.resize(uint32(n), nil)
		d.buf = in.left
	}
	return in.err
}

// literal decodes a field whose value, at least, is spelt out; the table keeps it, or not.
func (d *Decoder) literal(in cursor, bits uint, keeps bool) error {
	var f Field
	var name text
	n := in.int(bits)
	if n == 0 {
		name = in.text()
	} else {
		f.Name = in.at(d, n).Name
	}
	value := in.text()
	if keeps || !d.skips {
		if n == 0 {
			f.Name = in.decode(name)
		}
		f.Value = in.decode(value)
	}
	if in.err != nil {
		return in.err
	}
	d.buf = in.left
	if keeps {
		d.table.add(f, nil)
	}
	return d.give(f)
}

func (d *Decoder) give(f Field) error {
	if d.maxLen != 0 && (len(f.Name) > d.maxLen || len(f.Value) > d.maxLen) {
		return errLength
	}
	if !d.skips {
		d.emit(f)
	}
	return nil
}

// at finds the field of a number.
func (d *Decoder) at(n uint64) (f Field, ok bool) {
	s := statics()
	known := uint64(len(s.fields))
	switch {
	case n == 0 || n > known+uint64(len(d.table.fields)):
		return f, false
	case n <= known:
		return s.fields[n-1], true
	}
	return d.table.fields[uint64(len(d.table.fields))-(n-known)], true
}

// A cursor reads what fields consist of. Once there is an error nothing more is read.
type cursor struct {
	left   []byte
	maxLen int
	err    error
}

func (c *cursor) fail(err error) {
	if c.err == nil {
		c.err = err
	}
	c.left = nil
}

// int reads a number of which some bits are in the first byte.
func (c *cursor) int(bits uint) uint64 {
	if len(c.left) == 0 {
		c.fail(errMore)
		return 0
	}
	most := uint64(1)<<bits - 1
	n := uint64(c.left[0]) & most
	c.left = c.left[1:]
	if n < most {
		return n
	}
	const longest = 9
	more, size := binary.Uvarint(c.left[:min(len(c.left), longest)])
	switch {
	case size > 0:
		c.left = c.left[size:]
		return n + more
	case len(c.left) >= longest:
		c.fail(errBlock)
	default:
		c.fail(errMore)
	}
	return 0
}

// at is the field of a number.
func (c *cursor) at(d *Decoder, n uint64) Field {
	f, ok := d.at(n)
	if !ok {
		c.fail(errBlock)
	}
	return f
}

// text is a string as it comes.
type text struct {
	bytes     []byte
	isHuffman bool
}

func (c *cursor) text() (t text) {
	t.isHuffman = len(c.left) > 0 && c.left[0]&0x80 != 0
	n := c.int(7)
	switch {
	case c.maxLen != 0 && n > uint64(c.maxLen):
		c.fail(errLength)
	case n > uint64(len(c.left)):
		c.fail(errMore)
	default:
		t.bytes, c.left = c.left[:n], c.left[n:]
	}
	return t
}

// decode is what a string says.
func (c *cursor) decode(t text) string {
	if c.err != nil || !t.isHuffman {
		return string(t.bytes)
	}
	s, err := readHuffman(t.bytes, c.maxLen)
	if err != nil {
		c.fail(err)
	}
	return s
}
