// Package tar: archives of blocks, each file behind its header. It writes the formats USTAR, PAX
// and GNU, the first that holds what the header says, and reads also V7, before them, and STAR.
package tar

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"strconv"
	"strings"
	"time"
)

var (
	ErrHeader          = errors.New("archive/tar: invalid tar header")
	ErrWriteTooLong    = errors.New("archive/tar: write too long")
	ErrFieldTooLong    = errors.New("archive/tar: header field too long")
	ErrWriteAfterClose = errors.New("archive/tar: write after close")
	ErrInsecurePath    = errors.New("archive/tar: insecure file path")

	errMissing       = errors.New("archive/tar: sparse file references non-existent data")
	errUnreferenced  = errors.New("archive/tar: sparse file contains unreferenced data")
	errSparseTooLong = errors.New("archive/tar: sparse map too long")
)

const (
	TypeReg           = '0'
	TypeRegA          = '\x00'
	TypeLink          = '1'
	TypeSymlink       = '2'
	TypeChar          = '3'
	TypeBlock         = '4'
	TypeDir           = '5'
	TypeFifo          = '6'
	TypeCont          = '7'
	TypeXHeader       = 'x'
	TypeXGlobalHeader = 'g'
	TypeGNUSparse     = 'S'
	TypeGNULongName   = 'L'
	TypeGNULongLink   = 'K'
)

// hasNoData says whether files of this type have none, whatever their size says.
func hasNoData(kind byte) bool { return TypeLink <= kind && kind <= TypeFifo }

// Keys of PAX for what is in no field of a Header.
const (
	keyXattr  = "SCHILY.xattr."
	keySparse = "GNU.sparse."
)

type Format int

const (
	FormatUnknown Format = 0
	formatV7      Format = 1
	FormatUSTAR   Format = 2
	FormatPAX     Format = 4
	FormatGNU     Format = 8
	formatSTAR    Format = 16
)

func (f Format) String() string {
	f &= formatV7 | FormatUSTAR | FormatPAX | FormatGNU | formatSTAR
	if f == FormatUnknown {
		return "<unknown>"
	}
	text := ""
	for i, name := range [...]string{"V7", "USTAR", "PAX", "GNU", "STAR"} {
		if f>>i&1 != 0 {
			text += " | " + name
		}
	}
	text = text[len(" | "):]
	if f&(f-1) != 0 {
		text = "(" + text + ")"
	}
	return text
}

type Header struct {
	Typeflag   byte
	Name       string
	Linkname   string
	Size       int64
	Mode       int64
	Uid        int
	Gid        int
	Uname      string
	Gname      string
	ModTime    time.Time
	AccessTime time.Time
	ChangeTime time.Time
	Devmajor   int64
	Devminor   int64
	Xattrs     map[string]string
	PAXRecords map[string]string
	Format     Format
}

// An impossible header says why no format holds it.
type impossible []string

func (e impossible) Error() string {
	text, link := "archive/tar: cannot encode header", ": "
	for _, why := range e {
		if why != "" {
			text += link + why
			link = "; and "
		}
	}
	return text
}

// A chooser finds the formats that hold a header.
type chooser struct {
	h       *Header
	formats Format
	records map[string]string // of PAX
	// Sub-second times are lost in USTAR, which could hold the rest.
	prefersPAX bool

	against map[Format]string // why a format cannot hold it
}

// rule removes a format that cannot hold a column, and says so.
func (c *chooser) rule(f Format, col *column, shown string) {
	c.formats &^= f
	c.against[f] = f.String() + " cannot encode " + col.name + "=" + shown
}

// consider removes the formats whose fields cannot hold the column. PAX has a record for most of
// those that do not fit in a field; a record that the header has already is kept if it says the same.
func (c *chooser) consider(col *column) {
	var text, shown string // in a record, and in errors
	inUSTAR, inGNU := true, true
	record := false
	fits := func(n int64) {
		inUSTAR, inGNU = fitsOctal(col.size, n), fitsBinary(col.size, n)
		record = !inUSTAR
	}
	switch v := col.of(c.h).(type) {
	case *string:
		text, shown = *v, strconv.Quote(*v)
		isLong := len(text) > col.size
		record = isLong || !isASCII(text)
		if record {
			_, _, inUSTAR = split(text)
			inUSTAR = inUSTAR && v == &c.h.Name
		}
		// GNU has a file of its own for long names.
		inGNU = !strings.Contains(text, "\x00") &&
			(!isLong || v == &c.h.Name || v == &c.h.Linkname)
	case *time.Time:
		if v.IsZero() {
			return
		}
		text, shown = formatTime(*v), fmt.Sprint(*v)
		fits(v.Unix())
		if v != &c.h.ModTime { // USTAR has no other
			inUSTAR = false
		}
		record = !inUSTAR || v.Nanosecond() != 0
		c.prefersPAX = c.prefersPAX || record
	default:
		n := col.number(c.h)
		text = strconv.FormatInt(n, 10)
		shown = text
		fits(n)
	}
	if !inGNU {
		c.rule(FormatGNU, col, shown)
	}
	if !inUSTAR {
		c.rule(FormatUSTAR, col, shown)
	}
	if record && col.key == "" {
		c.rule(FormatPAX, col, shown)
	}
	if had, ok := c.h.PAXRecords[col.key]; col.key != "" && (record || ok && had == text) {
		c.records[col.key] = text
	}
}

// formats are those that hold the header, with the records that PAX needs.
func (h *Header) formats() (Format, map[string]string, error) {
	c := chooser{
		h: h, formats: FormatUSTAR | FormatPAX | FormatGNU,
		records: map[string]string{}, against: map[Format]string{},
	}
	for i := range columns {
		c.consider(&columns[i])
	}
	onlyPAX := ""
	only := func(what string) {
		onlyPAX = "only PAX supports " + what
		c.formats &= FormatPAX
	}
	fail := func(why string) (Format, map[string]string, error) {
		return FormatUnknown, nil, impossible{why}
	}
	switch h.Typeflag {
	case TypeGNUSparse, TypeFifo, TypeBlock, TypeChar, TypeReg:
		if strings.HasSuffix(h.Name, "/") {
			return fail("filename may not have trailing slash")
		}
	case TypeXHeader, TypeGNULongName, TypeGNULongLink:
		return fail("cannot manually encode TypeXHeader, TypeGNULongName, or TypeGNULongLink headers")
	case TypeXGlobalHeader:
		if !h.isGlobal() {
			return fail("only PAXRecords should be set for TypeXGlobalHeader")
		}
		only("TypeXGlobalHeader")
	}
	if !hasNoData(h.Typeflag) && h.Size < 0 {
		return fail("negative size on header-only type")
	}
	if len(h.Xattrs) > 0 {
		for k, v := range h.Xattrs {
			c.records[keyXattr+k] = v
		}
		only("Xattrs")
	}
	if len(h.PAXRecords) > 0 {
		for k, v := range h.PAXRecords {
			_, isThere := c.records[k]
			isOwn := columnOf(k) == nil && !strings.HasPrefix(k, keySparse)
			if !isThere && (isOwn || h.Typeflag == TypeXGlobalHeader) {
				c.records[k] = v
			}
		}
		only("PAXRecords")
	}
	for k, v := range c.records {
		if !isRecord(k, v) {
			return fail("invalid PAX record: " + strconv.Quote(k+" = "+v))
		}
	}
	if want := h.Format; want != FormatUnknown {
		if want&FormatPAX != 0 && !c.prefersPAX {
			want |= FormatUSTAR
		}
		c.formats &= want
	}
	if c.formats != FormatUnknown {
		return c.formats, c.records, nil
	}
	var why impossible
	for _, f := range [...]Format{FormatUSTAR, FormatPAX, FormatGNU} {
		if h.Format == f {
			why = impossible{"Format specifies " + f.String(), c.against[f]}
		}
	}
	if why == nil {
		why = impossible{c.against[FormatUSTAR], c.against[FormatPAX], c.against[FormatGNU]}
	}
	if h.Format != FormatPAX {
		why = append(why, onlyPAX)
	}
	return FormatUnknown, c.records, why
}

// isGlobal says whether nothing is set that concerns one file.
func (h *Header) isGlobal() bool {
	for i := range columns {
		if col := &columns[i]; col.of(h) != any(&h.Name) && !col.isZero(h) {
			return false
		}
	}
	return true
}

func (h *Header) FileInfo() fs.FileInfo { return info{h} }

type info struct{ h *Header }

func (i info) Size() int64        { return i.h.Size }
func (i info) IsDir() bool        { return i.Mode().IsDir() }
func (i info) ModTime() time.Time { return i.h.ModTime }
func (i info) Sys() any           { return i.h }
func (i info) String() string     { return fs.FormatFileInfo(i) }

func (i info) Name() string {
	if i.IsDir() {
		return path.Base(path.Clean(i.h.Name))
	}
	return path.Base(i.h.Name)
}

// Bits of modes, and types of files in them, as Unix has them.
const (
	setuid = 04000
	setgid = 02000
	sticky = 01000
)

var bits = []struct {
	unix int64
	mode fs.FileMode
}{{setuid, fs.ModeSetuid}, {setgid, fs.ModeSetgid}, {sticky, fs.ModeSticky}}

const isSocket = 0xff // no type of tar

var types = []struct {
	unix int64
	flag byte
	mode fs.FileMode
}{
	{040000, TypeDir, fs.ModeDir},
	{0120000, TypeSymlink, fs.ModeSymlink},
	{020000, TypeChar, fs.ModeDevice | fs.ModeCharDevice},
	{060000, TypeBlock, fs.ModeDevice},
	{010000, TypeFifo, fs.ModeNamedPipe},
	{0140000, isSocket, fs.ModeSocket},
}

func (i info) Mode() (mode fs.FileMode) {
	mode = fs.FileMode(i.h.Mode).Perm()
	for _, b := range bits {
		if i.h.Mode&b.unix != 0 {
			mode |= b.mode
		}
	}
	for _, t := range types {
		if int64(uint32(i.h.Mode))&^07777 == t.unix || i.h.Typeflag == t.flag && t.flag != isSocket {
			mode |= t.mode
		}
	}
	return mode
}

type FileInfoNames interface {
	fs.FileInfo
	Uname() (string, error)
	Gname() (string, error)
}

func FileInfoHeader(fi fs.FileInfo, link string) (header *Header, err error) {
	if fi == nil {
		err = errors.New("archive/tar: FileInfo is nil")
		return header, err
	}
	mode := fi.Mode()
	h := &Header{Name: fi.Name(), ModTime: fi.ModTime(), Mode: int64(mode.Perm())}
	for _, b := range bits {
		if mode&b.mode != 0 {
			h.Mode |= b.unix
		}
	}
	if h.Typeflag, err = typeOf(mode, fi.IsDir()); err != nil {
		return nil, err
	}
	switch h.Typeflag {
	case TypeReg:
		h.Size = fi.Size()
	case TypeDir:
		h.Name += "/"
	case TypeSymlink:
		h.Linkname = link
	}
	if from, ok := fi.Sys().(*Header); ok {
		h.inherit(from)
	}
	names, named := fi.(FileInfoNames)
	if named {
		if h.Gname, err = names.Gname(); err == nil {
			h.Uname, err = names.Uname()
		}
		if err != nil {
			return nil, err
		}
	}
	h.fromSystem(fi, !named)
	return h, nil
}

// typeOf is the type of a file of that mode, the first of types that has no bit more.
func typeOf(mode fs.FileMode, isDir bool) (byte, error) {
	if mode.IsRegular() {
		return TypeReg, nil
	}
	if isDir {
		return TypeDir, nil
	}
	for _, t := range types {
		if t.flag != TypeDir && mode&t.mode == t.mode {
			if t.flag == isSocket {
				return 0, errors.New("archive/tar: sockets not supported")
			}
			return t.flag, nil
		}
	}
	return 0, fmt.Errorf("archive/tar: unknown file mode %v", mode)
}

// inherit takes over what a header says of a file that its FileInfo does not.
func (h *Header) inherit(from *Header) {
	size, link, flag := h.Size, h.Linkname, h.Typeflag
	if from.Typeflag == TypeLink {
		size, link, flag = 0, from.Linkname, TypeLink
	}
	*h = Header{
		Name: h.Name, Mode: h.Mode, ModTime: h.ModTime, Typeflag: flag, Size: size, Linkname: link,
		Uname: from.Uname, Uid: from.Uid, Gname: from.Gname, Gid: from.Gid,
		ChangeTime: from.ChangeTime, AccessTime: from.AccessTime,
		PAXRecords: maps.Clone(from.PAXRecords), Xattrs: maps.Clone(from.Xattrs),
	}
}
