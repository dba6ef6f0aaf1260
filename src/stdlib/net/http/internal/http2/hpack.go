package http2

import (
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

// appendInt appends a number to a first byte that has room for some bits of it.
func appendInt(block []byte, first byte, bits uint, n uint64) []byte {
	most := uint64(1)<<bits - 1
	if n < most {
		return append(block, first|byte(n))
	}
	block = append(block, first|byte(most))
	for n -= most; n >= 0x80; n >>= 7 {
		block = append(block, byte(n)|0x80)
	}
	return append(block, byte(n))
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

// write decodes a piece.
func (d *Decoder) write(piece []byte) error {
	d.buf = piece
	if len(d.rest) > 0 {
		d.buf = append(d.rest, piece...)
		d.rest = nil
	}
	for len(d.buf) > 0 {
		err := d.field()
		if err == errMore {
			const most = 8
			if d.maxLen != 0 && int64(len(d.buf)) > 2*(int64(d.maxLen)+most) {
				return errLength
			}
			d.rest = append([]byte(nil), d.buf...)
			break
		}
		d.atStart = false
		if err != nil {
			return err
		}
	}
	d.buf = nil
	return nil
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
	first := d.buf[0]
	switch {
	case first&0x80 != 0:
		n, buf, err := readInt(7, d.buf)
		if err != nil {
			return err
		}
		f, ok := d.at(n)
		if !ok {
			return errBlock
		}
		d.buf = buf
		return d.give(f)
	case first&0xe0 == 0x20:
		if !d.atStart && d.table.size > 0 {
			return errBlock
		}
		n, buf, err := readInt(5, d.buf)
		if err != nil {
			return err
		}
		if n > uint64(d.most) {
			return errBlock
		}
		d.table.resize(uint32(n), nil)
		d.buf = buf
		return nil
	}
	bits, keeps := uint(4), first&0x40 != 0
	if keeps {
		bits = 6
	}
	return d.literal(bits, keeps)
}

// literal decodes a field whose value, at least, is spelt out; the table keeps it, or not.
func (d *Decoder) literal(bits uint, keeps bool) error {
	n, buf, err := readInt(bits, d.buf)
	if err != nil {
		return err
	}
	var f Field
	var name, value text
	if n > 0 {
		known, ok := d.at(n)
		if !ok {
			return errBlock
		}
		f.Name = known.Name
	} else if name, buf, err = d.readText(buf); err != nil {
		return err
	}
	if value, buf, err = d.readText(buf); err != nil {
		return err
	}
	if keeps || !d.skips {
		if n == 0 {
			if f.Name, err = name.decode(d.maxLen); err != nil {
				return err
			}
		}
		if f.Value, err = value.decode(d.maxLen); err != nil {
			return err
		}
	}
	d.buf = buf
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

// readInt reads a number whose first bits are in the first byte, and gives what is behind it.
func readInt(bits uint, p []byte) (n uint64, rest []byte, err error) {
	if len(p) == 0 {
		return 0, nil, errMore
	}
	most := uint64(1)<<bits - 1
	if n = uint64(p[0]) & most; n < most {
		return n, p[1:], nil
	}
	shift := uint(0)
	for i, c := range p[1:] {
		n += uint64(c&0x7f) << shift
		if c&0x80 == 0 {
			return n, p[i+2:], nil
		}
		if shift += 7; shift >= 63 {
			return 0, nil, errBlock
		}
	}
	return 0, nil, errMore
}

// text is a string as it comes.
type text struct {
	bytes     []byte
	isHuffman bool
}

func (d *Decoder) readText(p []byte) (t text, rest []byte, err error) {
	if len(p) == 0 {
		return t, nil, errMore
	}
	t.isHuffman = p[0]&0x80 != 0
	n, p, err := readInt(7, p)
	switch {
	case err != nil:
		return t, nil, err
	case d.maxLen != 0 && n > uint64(d.maxLen):
		return t, nil, errLength
	case n > uint64(len(p)):
		return t, nil, errMore
	}
	t.bytes = p[:n]
	return t, p[n:], nil
}

func (t text) decode(max int) (string, error) {
	if !t.isHuffman {
		return string(t.bytes), nil
	}
	return readHuffman(t.bytes, max)
}
