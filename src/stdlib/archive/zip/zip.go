// Package zip: archives whose directory stands at their end.
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
	size := uint64(fi.Size())
	h := &FileHeader{
		Name: fi.Name(), UncompressedSize64: size, UncompressedSize: uint32(min(size, max32)),
	}
	h.SetModTime(fi.ModTime())
	h.SetMode(fi.Mode())
	return h, nil
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

// ofDOS is the time that these stand for, which has no zone.
func ofDOS(date, clock uint16) time.Time {
	d, c := int(date), int(clock)
	return time.Date(
		1980+d>>9, time.Month(d>>5&15), d&31, c>>11, c>>5&63, c&31*2, 0, time.UTC,
	)
}

func toDOS(t time.Time) (date, clock uint16) {
	date = uint16(t.Day() | int(t.Month())<<5)
	date += uint16((t.Year() - 1980) << 9)
	return date, uint16(t.Second()/2 | t.Minute()<<5 | t.Hour()<<11)
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
