package zip

import (
	"bufio"
	"bytes"
	"errors"
	"hash"
	"hash/crc32"
	"internal/godebug"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

type Reader struct {
	File    []*File
	Comment string

	r             io.ReaderAt
	base          int64 // where the archive begins
	decompressors map[uint16]Decompressor
	tree          func() []node
}

type ReadCloser struct {
	f *os.File
	Reader
}

type File struct {
	FileHeader
	zip    *Reader
	offset int64 // of its header
}

func OpenReader(name string) (*ReadCloser, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	rc := &ReadCloser{f: f}
	fi, err := f.Stat()
	if err == nil {
		err = rc.init(f, fi.Size())
	}
	if err != nil && err != ErrInsecurePath {
		f.Close()
		return nil, err
	}
	return rc, err
}

func (rc *ReadCloser) Close() error { return rc.f.Close() }

func NewReader(r io.ReaderAt, size int64) (*Reader, error) {
	if size < 0 {
		return nil, errors.New("zip: size cannot be negative")
	}
	z := new(Reader)
	err := z.init(r, size)
	if err != nil && err != ErrInsecurePath {
		return nil, err
	}
	return z, err
}

func (z *Reader) RegisterDecompressor(method uint16, dcomp Decompressor) {
	if z.decompressors == nil {
		z.decompressors = map[uint16]Decompressor{}
	}
	z.decompressors[method] = dcomp
}

func (z *Reader) decompressor(method uint16) Decompressor {
	if own := z.decompressors[method]; own != nil {
		return own
	}
	d, _ := decompressors.Load(method)
	f, _ := d.(Decompressor)
	return f
}

func (z *Reader) init(r io.ReaderAt, size int64) error {
	z.r = r
	z.tree = sync.OnceValue(z.grow)
	end, err := findEnd(r, size)
	if err != nil {
		return err
	}
	z.base, z.Comment = end.base, end.comment
	all := io.NewSectionReader(r, 0, size)
	if _, err := all.Seek(end.base+int64(end.offset), io.SeekStart); err != nil {
		return err
	}
	buf := bufio.NewReader(all)
	for {
		f := &File{zip: z}
		// What is no entry is behind the last one.
		if err = f.entry(buf); err == ErrFormat || err == io.ErrUnexpectedEOF {
			break
		}
		if err != nil {
			return err
		}
		f.offset += z.base
		z.File = append(z.File, f)
	}
	// Large numbers may be cut to 16 bits.
	if uint16(len(z.File)) != uint16(end.entries) {
		return err
	}
	if godebug.Value("zipinsecurepath") == "0" {
		for _, f := range z.File {
			isBad := !filepath.IsLocal(f.Name) || strings.Contains(f.Name, `\`)
			if f.Name != "" && isBad {
				return ErrInsecurePath
			}
		}
	}
	return nil
}

// A directoryEnd tells where the directory is.
type directoryEnd struct {
	entries, size, offset uint64
	comment               string
	base                  int64 // what stands before the archive
}

// findEnd looks for the end of the directory at that of the file, before a comment of any length.
func findEnd(r io.ReaderAt, size int64) (*directoryEnd, error) {
	var end []byte
	var at int64
	for _, n := range []int64{1 << 10, 65 << 10} {
		n = min(n, size)
		buf := make([]byte, n)
		if _, err := r.ReadAt(buf, size-n); err != nil && err != io.EOF {
			return nil, err
		}
		if i := findSign(buf); i >= 0 {
			end, at = buf[i:], size-n+int64(i)
			break
		}
		if n == size {
			break
		}
	}
	if end == nil {
		return nil, ErrFormat
	}
	d := &directoryEnd{
		entries: uint64(order.Uint16(end[10:])),
		size:    uint64(order.Uint32(end[12:])),
		offset:  uint64(order.Uint32(end[16:])),
	}
	n := int(order.Uint16(end[20:]))
	if n > len(end)-lenEnd {
		return nil, errors.New("zip: invalid comment length")
	}
	d.comment = string(end[lenEnd:][:n])
	if d.entries == max16 || d.size == max32 || d.offset == max32 {
		p, err := d.find64(r, at)
		if err != nil {
			return nil, err
		}
		if p >= 0 {
			at = p
		}
	}
	if d.size > math.MaxInt64 || d.offset > math.MaxInt64 {
		return nil, ErrFormat
	}
	d.base = at - int64(d.size) - int64(d.offset)
	if start := d.base + int64(d.offset); start < 0 || start >= size {
		return nil, ErrFormat
	}
	// Offsets may count what stands before the archive.
	if d.base > 0 {
		rest := io.NewSectionReader(r, int64(d.offset), size-int64(d.offset))
		if new(File).entry(rest) == nil {
			d.base = 0
		}
	}
	return d, nil
}

// findSign is where the end of the directory begins in b, −1 if nowhere.
func findSign(b []byte) int {
	sign := order.AppendUint32(nil, signEnd)
	for i := len(b) - lenEnd; i >= 0; i-- {
		if bytes.HasPrefix(b[i:], sign) {
			if i+lenEnd+int(order.Uint16(b[i+lenEnd-2:])) > len(b) {
				return -1
			}
			return i
		}
	}
	return -1
}

// find64 takes larger numbers from the end that a locator before the other end names, whose place
// it gives, or −1.
func (d *directoryEnd) find64(r io.ReaderAt, before int64) (int64, error) {
	at := before - lenLocator64
	if at < 0 {
		return -1, nil
	}
	loc := make([]byte, lenLocator64)
	if _, err := r.ReadAt(loc, at); err != nil {
		return -1, err
	}
	// It must be on the first disk of one.
	sign, disk, disks := order.Uint32(loc), order.Uint32(loc[4:]), order.Uint32(loc[16:])
	if sign != signLocator64 || disk != 0 || disks != 1 {
		return -1, nil
	}
	at = int64(order.Uint64(loc[8:]))
	if at < 0 {
		return -1, nil
	}
	end := make([]byte, lenEnd64)
	if _, err := r.ReadAt(end, at); err != nil {
		return -1, err
	}
	if order.Uint32(end) != signEnd64 {
		return -1, ErrFormat
	}
	d.entries = order.Uint64(end[32:])
	d.size = order.Uint64(end[40:])
	d.offset = order.Uint64(end[48:])
	return at, nil
}

// entry reads an entry of the directory.
func (f *File) entry(r io.Reader) error {
	var b [lenEntry]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return err
	}
	if order.Uint32(b[:]) != signEntry {
		return ErrFormat
	}
	f.CreatorVersion = order.Uint16(b[4:])
	f.ReaderVersion = order.Uint16(b[6:])
	f.Flags = order.Uint16(b[8:])
	f.Method = order.Uint16(b[10:])
	f.ModifiedTime = order.Uint16(b[12:])
	f.ModifiedDate = order.Uint16(b[14:])
	f.CRC32 = order.Uint32(b[16:])
	f.CompressedSize = order.Uint32(b[20:])
	f.UncompressedSize = order.Uint32(b[24:])
	f.CompressedSize64 = uint64(f.CompressedSize)
	f.UncompressedSize64 = uint64(f.UncompressedSize)
	name, extra := int(order.Uint16(b[28:])), int(order.Uint16(b[30:]))
	comment := int(order.Uint16(b[32:]))
	f.ExternalAttrs = order.Uint32(b[38:])
	f.offset = int64(order.Uint32(b[42:]))

	rest := make([]byte, name+extra+comment)
	if _, err := io.ReadFull(r, rest); err != nil {
		return err
	}
	f.Name = string(rest[:name])
	f.Extra = rest[name : name+extra]
	f.Comment = string(rest[name+extra:])
	switch isValid, needsMark := encoding(f.Name, f.Comment); {
	case !isValid:
		f.NonUTF8 = true
	case needsMark:
		f.NonUTF8 = f.Flags&isUTF8 == 0
	}
	return f.extras()
}

// extras looks at the additional fields: for sizes that have no room, and for a better time.
func (f *File) extras() error {
	var modified time.Time
	for b := f.Extra; len(b) >= 4; {
		kind, n := order.Uint16(b), int(order.Uint16(b[2:]))
		b = b[4:]
		if n > len(b) {
			break
		}
		field := b[:n]
		b = b[n:]
		switch {
		case kind == extra64:
			if err := f.sizes(field); err != nil {
				return err
			}
		case kind == extraNTFS:
			if t, ok := ofNTFS(field); ok {
				modified = t
			}
		case (kind == extraUnix || kind == extraInfoZip) && n >= 8:
			modified = time.Unix(int64(order.Uint32(field[4:])), 0)
		case kind == extraTime && n >= 5 && field[0]&1 != 0:
			modified = time.Unix(int64(order.Uint32(field[1:])), 0)
		}
	}
	clock := ofDOS(f.ModifiedDate, f.ModifiedTime)
	switch {
	case modified.IsZero():
		f.Modified = clock
	case f.ModifiedTime == 0 && f.ModifiedDate == 0:
		f.Modified = modified.UTC()
	default:
		// The other time is local, so the difference tells the zone.
		f.Modified = modified.In(zone(clock.Sub(modified)))
	}
	return nil
}

func (f *File) sizes(field []byte) error {
	take := func(to *uint64) error {
		if len(field) < 8 {
			return ErrFormat
		}
		*to = order.Uint64(field)
		field = field[8:]
		return nil
	}
	if f.UncompressedSize == max32 {
		if err := take(&f.UncompressedSize64); err != nil {
			return err
		}
	}
	if f.CompressedSize == max32 {
		if err := take(&f.CompressedSize64); err != nil {
			return err
		}
	}
	if f.offset == max32 {
		var offset uint64
		if err := take(&offset); err != nil {
			return err
		}
		f.offset = int64(offset)
	}
	return nil
}

// ofNTFS is the time of modification among the attributes of a field.
func ofNTFS(field []byte) (t time.Time, ok bool) {
	const (
		kindTimes = 1
		lenTimes  = 24
		ticks     = 1e7 // in a second
		epoch     = -11644473600
	)
	if len(field) < 4 {
		return t, false
	}
	for b := field[4:]; len(b) >= 4; {
		kind, n := order.Uint16(b), int(order.Uint16(b[2:]))
		b = b[4:]
		if n > len(b) {
			break
		}
		if kind == kindTimes && n == lenTimes {
			v := int64(order.Uint64(b))
			t, ok = time.Unix(epoch+v/ticks, v%ticks*(1e9/ticks)), true
		}
		b = b[n:]
	}
	return t, ok
}

// zone is a zone with that offset, if there can be one.
func zone(offset time.Duration) *time.Location {
	offset = offset.Round(15 * time.Minute)
	if offset < -12*time.Hour || offset > 14*time.Hour {
		offset = 0
	}
	return time.FixedZone("", int(offset/time.Second))
}

func (f *File) DataOffset() (offset int64, err error) {
	var b [lenFile]byte
	if _, err := f.zip.r.ReadAt(b[:], f.offset); err != nil {
		return 0, err
	}
	if order.Uint32(b[:]) != signFile {
		return 0, ErrFormat
	}
	return f.offset + lenFile + int64(order.Uint16(b[26:])) + int64(order.Uint16(b[28:])), nil
}

func (f *File) OpenRaw() (io.Reader, error) {
	at, err := f.DataOffset()
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(f.zip.r, at, int64(f.CompressedSize64)), nil
}

// A folderReader has nothing to read.
type folderReader struct{ err error }

func (r *folderReader) Read([]byte) (int, error) { return 0, r.err }
func (r *folderReader) Close() error             { return nil }

func (f *File) Open() (io.ReadCloser, error) {
	at, err := f.DataOffset()
	if err != nil {
		return nil, err
	}
	if isFolder(f.Name) {
		if f.UncompressedSize64 != 0 {
			return &folderReader{ErrFormat}, nil
		}
		return &folderReader{io.EOF}, nil
	}
	unpack := f.zip.decompressor(f.Method)
	if unpack == nil {
		return nil, ErrAlgorithm
	}
	size := int64(f.CompressedSize64)
	c := &checker{
		body: unpack(io.NewSectionReader(f.zip.r, at, size)), sum: crc32.NewIEEE(), f: f,
	}
	if f.Flags&hasDescriptor != 0 {
		c.descriptor = io.NewSectionReader(f.zip.r, at+size, lenDescriptor)
	}
	return c, nil
}

// A checker sees that a file has the size and the checksum that are told of it.
type checker struct {
	body       io.ReadCloser
	sum        hash.Hash32
	n          uint64
	f          *File
	descriptor io.Reader
	err        error
}

func (c *checker) Stat() (fs.FileInfo, error) { return info{&c.f.FileHeader}, nil }
func (c *checker) Close() error               { return c.body.Close() }

func (c *checker) Read(b []byte) (n int, err error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err = c.body.Read(b)
	c.sum.Write(b[:n])
	c.n += uint64(n)
	switch {
	case c.n > c.f.UncompressedSize64:
		return 0, ErrFormat
	case err == nil:
		return n, nil
	case err == io.EOF:
		if c.n != c.f.UncompressedSize64 {
			return 0, io.ErrUnexpectedEOF
		}
		if bad := c.check(); bad != nil {
			err = bad
		}
	}
	c.err = err
	return n, err
}

func (c *checker) check() error {
	sum := c.sum.Sum32()
	if c.descriptor == nil {
		if c.f.CRC32 != 0 && c.f.CRC32 != sum {
			return ErrChecksum
		}
		return nil
	}
	// Its sign may be missing.
	var b [12]byte
	_, err := io.ReadFull(c.descriptor, b[:4])
	if err == nil {
		told := b[4:]
		if order.Uint32(b[:]) != signDescriptor {
			told = b[:8]
			_, err = io.ReadFull(c.descriptor, b[4:])
		} else {
			_, err = io.ReadFull(c.descriptor, told)
		}
		if err == nil && (order.Uint32(told) != c.f.CRC32 || sum != c.f.CRC32) {
			return ErrChecksum
		}
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}
