// Package zip: archives whose directory stands at their end.
//
// Records of an archive are read by a cursor, number by number, and written by a record (both here).
// A Reader finds the end, then the directory, whose entries are its files (reader.go), and shows them
// as a tree, too (fs.go). A Writer writes files one by one, and the directory when it is closed
// (writer.go). What packs and unpacks them is registered (register.go).
package zip

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"path"
	"time"
	"unicode/utf8"
)

const (
	Store   uint16 = 0
	Deflate uint16 = 8
)

var (
	ErrFormat       = errors.New("zip: not a valid zip file")
	ErrAlgorithm    = errors.New("zip: unsupported compression algorithm")
	ErrChecksum     = errors.New("zip: checksum error")
	ErrInsecurePath = errors.New("zip: insecure file path")
)

var order = binary.LittleEndian

// What parts of an archive begin with, and how long they are without what is variable.
const (
	signFile       = 0x04034b50
	signEntry      = 0x02014b50
	signEnd        = 0x06054b50
	signLocator64  = 0x07064b50
	signEnd64      = 0x06064b50
	signDescriptor = 0x08074b50

	lenFile         = 30
	lenEntry        = 46
	lenEnd          = 22
	lenLocator64    = 20
	lenEnd64        = 56
	lenDescriptor   = 16
	lenDescriptor64 = 24
)

// Kinds of additional fields.
const (
	extra64      = 0x0001
	extraNTFS    = 0x000a
	extraUnix    = 0x000d
	extraTime    = 0x5455
	extraInfoZip = 0x5855
)

// What the high byte of CreatorVersion says of the attributes.
const (
	fromFAT   = 0
	fromUnix  = 3
	fromNTFS  = 11
	fromVFAT  = 14
	fromMacOS = 19
)

// Versions that one must know to read an archive.
const (
	version   = 20
	version64 = 45
)

// Flags of an entry.
const (
	hasDescriptor = 0x8
	isUTF8        = 0x800
)

const (
	max16 = 1<<16 - 1
	max32 = 1<<32 - 1
)

type FileHeader struct {
	Name               string
	Comment            string
	NonUTF8            bool
	CreatorVersion     uint16
	ReaderVersion      uint16
	Flags              uint16
	Method             uint16
	Modified           time.Time
	ModifiedTime       uint16
	ModifiedDate       uint16
	CRC32              uint32
	CompressedSize     uint32
	UncompressedSize   uint32
	CompressedSize64   uint64
	UncompressedSize64 uint64
	Extra              []byte
	ExternalAttrs      uint32
}

func isFolder(name string) bool { return name != "" && name[len(name)-1] == '/' }

func FileInfoHeader(fi fs.FileInfo) (*FileHeader, error) {
	var h FileHeader
	h.UncompressedSize64 = uint64(fi.Size())
	h.UncompressedSize = cut(h.UncompressedSize64)
	h.Name = fi.Name()
	h.SetModTime(fi.ModTime())
	h.SetMode(fi.Mode())
	return &h, nil
}

func (h *FileHeader) FileInfo() fs.FileInfo { return info{h} }

// An info is a header as a file's information, and as an entry of a folder.
type info struct{ h *FileHeader }

func (i info) Name() string               { return path.Base(i.h.Name) }
func (i info) IsDir() bool                { return i.Mode().IsDir() }
func (i info) Mode() fs.FileMode          { return i.h.Mode() }
func (i info) Type() fs.FileMode          { return i.h.Mode().Type() }
func (i info) Sys() any                   { return i.h }
func (i info) Info() (fs.FileInfo, error) { return i, nil }
func (i info) String() string             { return fs.FormatFileInfo(i) }

func (i info) Size() int64 {
	if i.h.UncompressedSize64 > 0 {
		return int64(i.h.UncompressedSize64)
	}
	return int64(i.h.UncompressedSize)
}

func (i info) ModTime() time.Time {
	if i.h.Modified.IsZero() {
		return i.h.ModTime()
	}
	return i.h.Modified.UTC()
}

// dosBits are how wide the parts of a time of DOS are, from the lowest: seconds by two, minute, hour,
// day, month, and years since 1980. The upper half is the date.
var dosBits = [...]int{5, 6, 5, 5, 4, 7}

// ofDOS is the time that these stand for, which has no zone.
func ofDOS(date, clock uint16) time.Time {
	all := int(date)<<16 | int(clock)
	var part [len(dosBits)]int
	for i, n := range dosBits {
		part[i] = all & (1<<n - 1)
		all >>= n
	}
	return time.Date(part[5]+1980, time.Month(part[4]), part[3], part[2], part[1], part[0]*2, 0,
		time.UTC)
}

func toDOS(t time.Time) (date, clock uint16) {
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	all := 0
	for i, part := range [...]int{year - 1980, int(month), day, hour, minute, second / 2} {
		all = all<<dosBits[len(dosBits)-1-i] | part
	}
	return uint16(all >> 16), uint16(all)
}

func (h *FileHeader) ModTime() time.Time { return ofDOS(h.ModifiedDate, h.ModifiedTime) }

func (h *FileHeader) SetModTime(t time.Time) {
	h.Modified = t.UTC()
	h.ModifiedDate, h.ModifiedTime = toDOS(h.Modified)
}

// Types of files, and further bits, as Unix has them.
const (
	unixType = 0xf000

	unixSetuid = 0x800
	unixSetgid = 0x400
	unixSticky = 0x200
)

var types = []struct {
	unix uint32
	mode fs.FileMode
}{
	{0x8000, 0},
	{0x4000, fs.ModeDir},
	{0xa000, fs.ModeSymlink},
	{0x1000, fs.ModeNamedPipe},
	{0xc000, fs.ModeSocket},
	{0x6000, fs.ModeDevice},
	{0x2000, fs.ModeDevice | fs.ModeCharDevice},
}

var bits = []struct {
	unix uint32
	mode fs.FileMode
}{{unixSetuid, fs.ModeSetuid}, {unixSetgid, fs.ModeSetgid}, {unixSticky, fs.ModeSticky}}

// Attributes of DOS.
const (
	dosReadOnly = 0x01
	dosFolder   = 0x10
)

func (h *FileHeader) Mode() (mode fs.FileMode) {
	switch h.CreatorVersion >> 8 {
	case fromUnix, fromMacOS:
		unix := h.ExternalAttrs >> 16
		mode = fs.FileMode(unix & 0777)
		for _, t := range types {
			if unix&unixType == t.unix {
				mode |= t.mode
			}
		}
		for _, b := range bits {
			if unix&b.unix != 0 {
				mode |= b.mode
			}
		}
	case fromNTFS, fromVFAT, fromFAT:
		mode = 0666
		if h.ExternalAttrs&dosFolder != 0 {
			mode = fs.ModeDir | 0777
		}
		if h.ExternalAttrs&dosReadOnly != 0 {
			mode &^= 0222
		}
	}
	if isFolder(h.Name) {
		mode |= fs.ModeDir
	}
	return mode
}

func (h *FileHeader) SetMode(mode fs.FileMode) {
	unix := types[0].unix
	for _, t := range types {
		if mode&fs.ModeType == t.mode {
			unix = t.unix
		}
	}
	for _, b := range bits {
		if mode&b.mode != 0 {
			unix |= b.unix
		}
	}
	h.CreatorVersion = h.CreatorVersion&0xff | fromUnix<<8
	h.ExternalAttrs = (unix | uint32(mode.Perm())) << 16
	if mode.IsDir() {
		h.ExternalAttrs |= dosFolder
	}
	if mode&0200 == 0 {
		h.ExternalAttrs |= dosReadOnly
	}
}

// encoding says whether texts are all UTF-8, and whether they must be marked as that: characters
// that all code pages share need no mark.
func encoding(texts ...string) (isValid, needsMark bool) {
	for _, s := range texts {
		for i, r := range s {
			if 0x20 <= r && r <= 0x7d && r != '\\' {
				continue
			}
			if _, size := utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && size == 1 {
				return false, false
			}
			needsMark = true
		}
	}
	return true, needsMark
}

// A cursor takes numbers from the front of a record. Its reader sees that there are enough bytes.
type cursor []byte

func (c *cursor) bytes(n int) []byte {
	b := (*c)[:n]
	*c = (*c)[n:]
	return b
}

func (c *cursor) u16() uint16 { return order.Uint16(c.bytes(2)) }
func (c *cursor) u32() uint32 { return order.Uint32(c.bytes(4)) }
func (c *cursor) u64() uint64 { return order.Uint64(c.bytes(8)) }

// each16 takes a number for each place.
func (c *cursor) each16(to ...*uint16) {
	for _, p := range to {
		*p = c.u16()
	}
}

func (c *cursor) each32(to ...*uint32) {
	for _, p := range to {
		*p = c.u32()
	}
}

// part takes a part that has a kind and a length, if there is a whole one.
func (c *cursor) part() (kind uint16, data cursor, ok bool) {
	const head = 4
	if len(*c) >= head {
		var n uint16
		c.each16(&kind, &n)
		if ok = int(n) <= len(*c); ok {
			data = c.bytes(int(n))
		}
	}
	return kind, data, ok
}

// A record is a part of the archive that is made, number by number.
type record []byte

func (r *record) u16(values ...uint16) {
	for _, v := range values {
		*r = order.AppendUint16(*r, v)
	}
}

func (r *record) u32(values ...uint32) {
	for _, v := range values {
		*r = order.AppendUint32(*r, v)
	}
}

func (r *record) u64(values ...uint64) {
	for _, v := range values {
		*r = order.AppendUint64(*r, v)
	}
}

func (r *record) text(s string) { *r = append(*r, s...) }

// cut is v where it has room in 32 bits, else what says that it stands elsewhere.
func cut(v uint64) uint32 { return uint32(min(v, max32)) }
