// Package tar: archives of blocks, each file behind its header. It writes the formats USTAR, PAX
// and GNU, the first that holds what the header says, and reads also V7, before them, and STAR.
package tar

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
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

// Keys of PAX that stand for fields.
const (
	keyPath  = "path"
	keyLink  = "linkpath"
	keySize  = "size"
	keyUid   = "uid"
	keyGid   = "gid"
	keyUname = "uname"
	keyGname = "gname"
	keyMtime = "mtime"
	keyAtime = "atime"
	keyCtime = "ctime"

	keyXattr  = "SCHILY.xattr."
	keySparse = "GNU.sparse."
)

func isField(key string) bool {
	switch key {
	case keyPath, keyLink, keySize, keyUid, keyGid, keyUname, keyGname, keyMtime, keyAtime, keyCtime:
		return true
	}
	return false
}

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
	var names []string
	for i, name := range []string{"V7", "USTAR", "PAX", "GNU", "STAR"} {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	switch len(names) {
	case 0:
		return "<unknown>"
	case 1:
		return names[0]
	}
	return "(" + strings.Join(names, " | ") + ")"
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
	var why []string
	for _, s := range e {
		if s != "" {
			why = append(why, s)
		}
	}
	text := "archive/tar: cannot encode header"
	if why == nil {
		return text
	}
	return text + ": " + strings.Join(why, "; and ")
}

// A chooser finds the formats that hold a header.
type chooser struct {
	h       *Header
	formats Format
	records map[string]string // of PAX
	// Sub-second times are lost in USTAR, which could hold the rest.
	prefersPAX bool

	noUSTAR, noPAX, noGNU string
}

// rule removes formats that cannot hold a field, and says so.
func (c *chooser) rule(f Format, name string, value string) {
	text := " cannot encode " + name + "=" + value
	c.formats &^= f
	switch f {
	case FormatUSTAR:
		c.noUSTAR = "USTAR" + text
	case FormatPAX:
		c.noPAX = "PAX" + text
	case FormatGNU:
		c.noGNU = "GNU" + text
	}
}

// record notes that PAX needs a record, if it has one for this field.
func (c *chooser) record(name, key, value, shown string) {
	if key == "" {
		c.rule(FormatPAX, name, shown)
	} else {
		c.records[key] = value
	}
}

// keep keeps a record that says what the field says.
func (c *chooser) keep(key, value string) {
	if v, ok := c.h.PAXRecords[key]; ok && v == value {
		c.records[key] = v
	}
}

func (c *chooser) text(f field, name, key, s string) {
	isLong := len(s) > f.size
	shown := strconv.Quote(s)
	// GNU has a file of its own for long names.
	if strings.Contains(s, "\x00") || isLong && key != keyPath && key != keyLink {
		c.rule(FormatGNU, name, shown)
	}
	if isLong || !isASCII(s) {
		if _, _, ok := split(s); key != keyPath || !ok {
			c.rule(FormatUSTAR, name, shown)
		}
		c.record(name, key, s, shown)
	}
	c.keep(key, s)
}

func (c *chooser) number(f field, name, key string, n int64) {
	s := strconv.FormatInt(n, 10)
	if !fitsBinary(f.size, n) {
		c.rule(FormatGNU, name, s)
	}
	if !fitsOctal(f.size, n) {
		c.rule(FormatUSTAR, name, s)
		c.record(name, key, s, s)
	}
	c.keep(key, s)
}

func (c *chooser) time(f field, name, key string, t time.Time) {
	if t.IsZero() {
		return
	}
	shown := fmt.Sprint(t)
	if !fitsBinary(f.size, t.Unix()) {
		c.rule(FormatGNU, name, shown)
	}
	// USTAR has one time only.
	fits := key == keyMtime && fitsOctal(f.size, t.Unix())
	if !fits {
		c.rule(FormatUSTAR, name, shown)
	}
	s := formatTime(t)
	if !fits || t.Nanosecond() != 0 {
		c.prefersPAX = true
		c.record(name, key, s, shown)
	}
	c.keep(key, s)
}

// formats are those that hold the header, with the records that PAX needs.
func (h *Header) formats() (Format, map[string]string, error) {
	c := chooser{h: h, formats: FormatUSTAR | FormatPAX | FormatGNU, records: map[string]string{}}
	c.text(fieldName, "Name", keyPath, h.Name)
	c.text(fieldLink, "Linkname", keyLink, h.Linkname)
	c.text(fieldUname, "Uname", keyUname, h.Uname)
	c.text(fieldGname, "Gname", keyGname, h.Gname)
	c.number(fieldMode, "Mode", "", h.Mode)
	c.number(fieldUid, "Uid", keyUid, int64(h.Uid))
	c.number(fieldGid, "Gid", keyGid, int64(h.Gid))
	c.number(fieldSize, "Size", keySize, h.Size)
	c.number(fieldMajor, "Devmajor", "", h.Devmajor)
	c.number(fieldMinor, "Devminor", "", h.Devminor)
	c.time(fieldMtime, "ModTime", keyMtime, h.ModTime)
	c.time(gnuAtime, "AccessTime", keyAtime, h.AccessTime)
	c.time(gnuCtime, "ChangeTime", keyCtime, h.ChangeTime)

	onlyPAX := ""
	only := func(what string) {
		onlyPAX = "only PAX supports " + what
		c.formats &= FormatPAX
	}
	fail := func(why string) (Format, map[string]string, error) {
		return FormatUnknown, nil, impossible{why}
	}
	switch h.Typeflag {
	case TypeReg, TypeChar, TypeBlock, TypeFifo, TypeGNUSparse:
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
			isOwn := !isField(k) && !strings.HasPrefix(k, keySparse)
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
	switch h.Format {
	case FormatUSTAR:
		why = impossible{"Format specifies USTAR", c.noUSTAR, onlyPAX}
	case FormatPAX:
		why = impossible{"Format specifies PAX", c.noPAX}
	case FormatGNU:
		why = impossible{"Format specifies GNU", c.noGNU, onlyPAX}
	default:
		why = impossible{c.noUSTAR, c.noPAX, c.noGNU, onlyPAX}
	}
	return FormatUnknown, c.records, why
}

// isGlobal says whether nothing is set that concerns one file.
func (h *Header) isGlobal() bool {
	return h.Linkname == "" && h.Size == 0 && h.Mode == 0 && h.Uid == 0 && h.Gid == 0 &&
		h.Uname == "" && h.Gname == "" && h.Devmajor == 0 && h.Devminor == 0 &&
		h.ModTime == time.Time{} && h.AccessTime == time.Time{} && h.ChangeTime == time.Time{}
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

var types = []struct {
	unix int64
	flag byte
	mode fs.FileMode
}{
	{040000, TypeDir, fs.ModeDir},
	{010000, TypeFifo, fs.ModeNamedPipe},
	{0120000, TypeSymlink, fs.ModeSymlink},
	{060000, TypeBlock, fs.ModeDevice},
	{020000, TypeChar, fs.ModeDevice | fs.ModeCharDevice},
	{0140000, 0xff, fs.ModeSocket},
}

func (i info) Mode() (mode fs.FileMode) {
	mode = fs.FileMode(i.h.Mode).Perm()
	for _, b := range bits {
		if i.h.Mode&b.unix != 0 {
			mode |= b.mode
		}
	}
	for _, t := range types {
		if int64(uint32(i.h.Mode))&^07777 == t.unix || i.h.Typeflag == t.flag && t.flag != 0xff {
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

func FileInfoHeader(fi fs.FileInfo, link string) (*Header, error) {
	if fi == nil {
		return nil, errors.New("archive/tar: FileInfo is nil")
	}
	mode := fi.Mode()
	h := &Header{Name: fi.Name(), ModTime: fi.ModTime(), Mode: int64(mode.Perm())}
	switch {
	case mode.IsRegular():
		h.Typeflag, h.Size = TypeReg, fi.Size()
	case fi.IsDir():
		h.Typeflag = TypeDir
		h.Name += "/"
	case mode&fs.ModeSymlink != 0:
		h.Typeflag, h.Linkname = TypeSymlink, link
	case mode&fs.ModeCharDevice != 0 && mode&fs.ModeDevice != 0:
		h.Typeflag = TypeChar
	case mode&fs.ModeDevice != 0:
		h.Typeflag = TypeBlock
	case mode&fs.ModeNamedPipe != 0:
		h.Typeflag = TypeFifo
	case mode&fs.ModeSocket != 0:
		return nil, errors.New("archive/tar: sockets not supported")
	default:
		return nil, fmt.Errorf("archive/tar: unknown file mode %v", mode)
	}
	for _, b := range bits {
		if mode&b.mode != 0 {
			h.Mode |= b.unix
		}
	}
	if own, ok := fi.Sys().(*Header); ok {
		h.Uid, h.Gid, h.Uname, h.Gname = own.Uid, own.Gid, own.Uname, own.Gname
		h.AccessTime, h.ChangeTime = own.AccessTime, own.ChangeTime
		h.Xattrs, h.PAXRecords = maps.Clone(own.Xattrs), maps.Clone(own.PAXRecords)
		if own.Typeflag == TypeLink {
			h.Typeflag, h.Size, h.Linkname = TypeLink, 0, own.Linkname
		}
	}
	names, ok := fi.(FileInfoNames)
	if ok {
		var err error
		if h.Gname, err = names.Gname(); err != nil {
			return nil, err
		}
		if h.Uname, err = names.Uname(); err != nil {
			return nil, err
		}
	}
	h.fromSystem(fi, !ok)
	return h, nil
}

// A fragment is a part of a sparse file.
type fragment struct{ offset, length int64 }

func (f fragment) end() int64 { return f.offset + f.length }

// areOrdered says whether fragments lie in a file of that size one behind the other.
func areOrdered(list []fragment, size int64) bool {
	at := int64(0)
	for _, f := range list {
		if f.offset < at || f.length < 0 || f.offset > math.MaxInt64-f.length || f.end() > size {
			return false
		}
		at = f.end()
	}
	return size >= 0
}
