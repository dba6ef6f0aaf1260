package zip

// Reading: the end of the directory is found first, then its entries are read, and files when they
// are opened.

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
	tree          sync.Once
	nodes         []node // of the tree, when it has grown
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
	var fi fs.FileInfo
	if fi, err = f.Stat(); err == nil {
		err = rc.read(f, fi.Size())
	}
	switch err {
	case nil, ErrInsecurePath:
		return rc, err
	}
	f.Close()
	return nil, err
}

func (rc *ReadCloser) Close() error { return rc.f.Close() }

func NewReader(r io.ReaderAt, size int64) (*Reader, error) {
	if size < 0 {
		return nil, errors.New("zip: size cannot be negative")
	}
	var z Reader
	switch err := z.read(r, size); err {
	case nil, ErrInsecurePath:
		return &z, err
	default:
		return nil, err
	}
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

// read reads the directory.
func (z *Reader) read(r io.ReaderAt, size int64) error {
	end, err := findEnd(r, size)
	if err != nil {
		return err
	}
	*z = Reader{r: r, base: end.base, Comment: end.comment, decompressors: z.decompressors}
	start := end.base + int64(end.offset)
	directory := bufio.NewReader(io.NewSectionReader(r, start, size-start))
	guards, insecure := godebug.Value("zipinsecurepath") == "0", false
	for err == nil {
		f := &File{zip: z}
		if err = f.entry(directory); err == nil {
			f.offset += z.base
			z.File = append(z.File, f)
			insecure = insecure || guards && f.Name != "" &&
				(strings.Contains(f.Name, `\`) || !filepath.IsLocal(f.Name))
		}
	}
	// What is no entry is behind the last one. Large numbers of them may be cut to 16 bits.
	isLast := err == ErrFormat || err == io.ErrUnexpectedEOF
	if !isLast || uint16(len(z.File)) != uint16(end.entries) {
		return err
	}
	if insecure {
		godebug.Count("zipinsecurepath")
		return ErrInsecurePath
	}
	return nil
}

// A directoryEnd tells where the directory is.
type directoryEnd struct {
	entries, size, offset uint64
	comment               string
	base                  int64 // what stands before the archive
}

// findEnd looks for the end of the directory, and where that tells the archive to begin.
func findEnd(r io.ReaderAt, size int64) (*directoryEnd, error) {
	end, at, err := lastRecord(r, size)
	if err != nil {
		return nil, err
	}
	c := cursor(end[10:])
	d := &directoryEnd{entries: uint64(c.u16()), size: uint64(c.u32()), offset: uint64(c.u32())}
	n := int(c.u16())
	if n > len(c) {
		return nil, errors.New("zip: invalid comment length")
	}
	d.comment = string(c[:n])
	if d.entries == max16 || d.size == max32 || d.offset == max32 {
		if at, err = d.find64(r, at); err != nil {
			return nil, err
		}
	}
	if max(d.size, d.offset) > math.MaxInt64 {
		return nil, ErrFormat
	}
	offset := int64(d.offset)
	start := at - int64(d.size)
	d.base = start - offset
	if start = d.base + offset; start < 0 || start >= size {
		return nil, ErrFormat
	}
	// Offsets may count what stands before the archive.
	if d.base > 0 && new(File).entry(io.NewSectionReader(r, offset, size-offset)) == nil {
		d.base = 0
	}
	return d, nil
}

// lastRecord is the end of the file from the end of the directory on, and where that stands: before
// a comment of any length, so it looks a short way back at first, and then a long one.
func lastRecord(r io.ReaderAt, size int64) (end []byte, at int64, err error) {
	sign := order.AppendUint32(nil, signEnd)
	for _, back := range [...]int64{1 << 10, 65 << 10} {
		back = min(back, size)
		at = size - back
		end = make([]byte, back)
		if _, err := r.ReadAt(end, at); err != nil && err != io.EOF {
			return nil, 0, err
		}
		i := bytes.LastIndex(end[:max(0, len(end)-lenEnd+len(sign))], sign)
		if i >= 0 && int(order.Uint16(end[i+lenEnd-2:])) <= len(end)-i-lenEnd {
			return end[i:], at + int64(i), nil
		}
		if at == 0 {
			break
		}
	}
	return nil, 0, ErrFormat
}

// find64 takes larger numbers from the end that a locator before the other end names, and gives the
// place of that, or else that of the other.
func (d *directoryEnd) find64(r io.ReaderAt, other int64) (int64, error) {
	if other < lenLocator64 {
		return other, nil
	}
	var room [lenEnd64]byte
	c := cursor(room[:lenLocator64])
	if _, err := r.ReadAt(c, other-lenLocator64); err != nil {
		return 0, err
	}
	sign, disk, at, disks := c.u32(), c.u32(), int64(c.u64()), c.u32()
	if sign != signLocator64 || disk != 0 || disks != 1 || at < 0 {
		return other, nil // It must be on the first disk of one.
	}
	c = room[:]
	if _, err := r.ReadAt(c, at); err != nil {
		return 0, err
	}
	if c.u32() != signEnd64 {
		return 0, ErrFormat
	}
	c.bytes(28)
	d.entries, d.size, d.offset = c.u64(), c.u64(), c.u64()
	return at, nil
}

// entry reads an entry of the directory.
func (f *File) entry(r io.Reader) error {
	var room [lenEntry]byte
	c := cursor(room[:])
	if _, err := io.ReadFull(r, c); err != nil {
		return err
	}
	if c.u32() != signEntry {
		return ErrFormat
	}
	var name, extra, comment, disk, internal uint16
	var offset uint32
	c.each16(&f.CreatorVersion, &f.ReaderVersion, &f.Flags, &f.Method, &f.ModifiedTime,
		&f.ModifiedDate)
	c.each32(&f.CRC32, &f.CompressedSize, &f.UncompressedSize)
	c.each16(&name, &extra, &comment, &disk, &internal)
	c.each32(&f.ExternalAttrs, &offset)
	f.offset = int64(offset)
	f.CompressedSize64 = uint64(f.CompressedSize)
	f.UncompressedSize64 = uint64(f.UncompressedSize)

	c = make(cursor, int(name)+int(extra)+int(comment))
	if _, err := io.ReadFull(r, c); err != nil {
		return err
	}
	f.Name = string(c.bytes(int(name)))
	f.Extra = c.bytes(int(extra))
	f.Comment = string(c)
	isValid, needsMark := encoding(f.Name, f.Comment)
	f.NonUTF8 = !isValid || needsMark && f.Flags&isUTF8 == 0
	return f.extras()
}

// extras looks at the additional fields: for sizes that have no room, and for a better time.
func (f *File) extras() error {
	var modified time.Time
	all := cursor(f.Extra)
	for kind, field, ok := all.part(); ok; kind, field, ok = all.part() {
		n := len(field)
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

// sizes takes what had no room in the entry, in order.
func (f *File) sizes(field cursor) error {
	offset := uint64(f.offset)
	for _, large := range [...]struct {
		isThere bool
		to      *uint64
	}{
		{f.UncompressedSize == max32, &f.UncompressedSize64},
		{f.CompressedSize == max32, &f.CompressedSize64},
		{f.offset == max32, &offset},
	} {
		if !large.isThere {
			continue
		}
		if len(field) < 8 {
			return ErrFormat
		}
		*large.to = field.u64()
	}
	f.offset = int64(offset)
	return nil
}

// ofNTFS is the time of modification among the attributes of a field.
func ofNTFS(field cursor) (t time.Time, ok bool) {
	const (
		kindTimes = 1
		lenTimes  = 24
		ticks     = 1e7 // in a second
		epoch     = -11644473600
	)
	if len(field) < 4 {
		return t, false
	}
	field = field[4:]
	for kind, data, more := field.part(); more; kind, data, more = field.part() {
		if kind == kindTimes && len(data) == lenTimes {
			v := int64(data.u64())
			t, ok = time.Unix(epoch+v/ticks, v%ticks*(1e9/ticks)), true
		}
	}
	return t, ok
}

func (f *File) DataOffset() (offset int64, err error) {
	packed, err := f.packed()
	if err != nil {
		return 0, err
	}
	_, offset, _ = packed.Outer()
	return offset, nil
}

// zone is a zone with that offset, if there can be one.
func zone(offset time.Duration) *time.Location {
	seconds := 0
	offset = offset.Round(15 * time.Minute)
	if -12*time.Hour <= offset && offset <= 14*time.Hour {
		seconds = int(offset / time.Second)
	}
	return time.FixedZone("", seconds)
}

func (f *File) OpenRaw() (io.Reader, error) {
	packed, err := f.packed()
	if err != nil {
		return nil, err
	}
	return packed, nil
}

// packed is the data as it stands behind the header of the file.
func (f *File) packed() (*io.SectionReader, error) {
	var room [lenFile]byte
	c := cursor(room[:])
	if _, err := f.zip.r.ReadAt(c, f.offset); err != nil {
		return nil, err
	}
	if c.u32() != signFile {
		return nil, ErrFormat
	}
	c.bytes(22) // The directory says the same.
	variable := int64(c.u16()) + int64(c.u16())
	at := f.offset + lenFile + variable
	return io.NewSectionReader(f.zip.r, at, int64(f.CompressedSize64)), nil
}

// A folderReader has nothing to read.
type folderReader struct{ err error }

func (r *folderReader) Read([]byte) (int, error) { return 0, r.err }
func (r *folderReader) Close() error             { return nil }

func (f *File) Open() (io.ReadCloser, error) {
	packed, err := f.packed()
	unpack := f.zip.decompressor(f.Method)
	switch {
	case err != nil:
		return nil, err
	case isFolder(f.Name) && f.UncompressedSize64 == 0:
		return &folderReader{io.EOF}, nil
	case isFolder(f.Name):
		return &folderReader{ErrFormat}, nil
	case unpack == nil:
		return nil, ErrAlgorithm
	}
	c := &checker{f: f, sum: crc32.NewIEEE(), body: unpack(packed)}
	if f.Flags&hasDescriptor != 0 {
		r, at, n := packed.Outer()
		c.descriptor = io.NewSectionReader(r, at+n, lenDescriptor)
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
	c.n += uint64(n)
	c.sum.Write(b[:n])
	want := c.f.UncompressedSize64
	if c.n > want {
		return 0, ErrFormat
	}
	if err != io.EOF {
		c.err = err
		return n, err
	}
	if c.n < want {
		return 0, io.ErrUnexpectedEOF
	}
	if c.err = c.check(); c.err == nil {
		c.err = io.EOF
	}
	return n, c.err
}

// check compares the checksum, that behind the data first, if there is one.
func (c *checker) check() error {
	sum, want := c.sum.Sum32(), c.f.CRC32
	if c.descriptor == nil {
		if want != 0 && sum != want {
			return ErrChecksum
		}
		return nil
	}
	told, err := c.descriptorSum()
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	if err == nil && (told != want || sum != want) {
		return ErrChecksum
	}
	return err
}

// descriptorSum reads the checksum of the descriptor, whose sign may be missing, and a size.
func (c *checker) descriptorSum() (uint32, error) {
	var room [12]byte
	if _, err := io.ReadFull(c.descriptor, room[:4]); err != nil {
		return 0, err
	}
	told, rest := cursor(room[:]), room[4:]
	if order.Uint32(room[:]) == signDescriptor {
		told = rest
	}
	_, err := io.ReadFull(c.descriptor, rest)
	return told.u32(), err
}
