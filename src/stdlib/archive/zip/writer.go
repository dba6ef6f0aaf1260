package zip

// Writing: headers and data one by one, and the directory at last.

import (
	"bufio"
	"errors"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
)

// A counter counts what is written.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

type Writer struct {
	buf         *bufio.Writer
	out         *counter
	entries     []*entry
	last        *fileWriter
	isClosed    bool
	compressors map[uint16]Compressor
	comment     string
}

// An entry is a file that has been written, or is being written.
type entry struct {
	*FileHeader
	offset uint64
	isRaw  bool
}

func NewWriter(w io.Writer) *Writer {
	buf := bufio.NewWriter(w)
	return &Writer{buf: buf, out: &counter{w: buf}}
}

func (w *Writer) SetOffset(n int64) {
	if w.out.n != 0 {
		panic("zip: SetOffset called after data was written")
	}
	w.out.n = n
}

func (w *Writer) Flush() error { return w.buf.Flush() }

func (w *Writer) SetComment(comment string) (err error) {
	if len(comment) <= max16 {
		w.comment = comment
	} else {
		err = errors.New("zip: Writer.Comment too long")
	}
	return err
}

func (w *Writer) RegisterCompressor(method uint16, comp Compressor) {
	if own := w.compressors; own != nil {
		own[method] = comp
	} else {
		w.compressors = map[uint16]Compressor{method: comp}
	}
}

func (w *Writer) compressor(method uint16) Compressor {
	if own := w.compressors[method]; own != nil {
		return own
	}
	c, _ := compressors.Load(method)
	f, _ := c.(Compressor)
	return f
}

func (w *Writer) Close() error {
	if err := w.endFile(); err != nil {
		return err
	}
	w.last = nil
	if w.isClosed {
		return errors.New("zip: writer closed twice")
	}
	w.isClosed = true

	start := uint64(w.out.n)
	is64 := false
	for _, e := range w.entries {
		reader := e.ReaderVersion
		var extra record
		for _, v := range []uint64{e.UncompressedSize64, e.CompressedSize64, e.offset} {
			if v >= max32 {
				extra.u64(v)
			}
		}
		if len(extra) > 0 {
			is64 = true
			reader = max(reader, version64)
			var head record
			head.u16(extra64, uint16(len(extra)))
			e.Extra = append(append(e.Extra, head...), extra...)
		}
		var r record
		r.u32(signEntry)
		r.u16(e.CreatorVersion, reader, e.Flags, e.Method, e.ModifiedTime, e.ModifiedDate)
		r.u32(e.CRC32, cut(e.CompressedSize64), cut(e.UncompressedSize64))
		r.u16(uint16(len(e.Name)), uint16(len(e.Extra)), uint16(len(e.Comment)), 0, 0)
		r.u32(e.ExternalAttrs, cut(e.offset))
		r.text(e.Name + string(e.Extra) + e.Comment)
		if _, err := w.out.Write(r); err != nil {
			return err
		}
	}
	end := uint64(w.out.n)
	entries, size := uint64(len(w.entries)), end-start
	var r record
	if is64 || entries >= max16 || size >= max32 || start >= max32 {
		r.u32(signEnd64)
		r.u64(lenEnd64 - 12)
		r.u16(version64, version64)
		r.u32(0, 0)
		r.u64(entries, entries, size, start)
		r.u32(signLocator64, 0)
		r.u64(end)
		r.u32(1)
	}
	r.u32(signEnd, 0)
	few := uint16(min(entries, max16))
	r.u16(few, few)
	r.u32(cut(size), cut(start))
	r.u16(uint16(len(w.comment)))
	r.text(w.comment)
	if _, err := w.out.Write(r); err != nil {
		return err
	}
	return w.buf.Flush()
}

func (w *Writer) endFile() error {
	if w.last != nil && !w.last.isClosed {
		return w.last.close()
	}
	return nil
}

// begin ends the file before, and sees that the header is not that one's.
func (w *Writer) begin(h *FileHeader) error {
	if err := w.endFile(); err != nil {
		return err
	}
	if n := len(w.entries); n > 0 && w.entries[n-1].FileHeader == h {
		return errors.New("archive/zip: invalid duplicate FileHeader")
	}
	return nil
}

func (w *Writer) Create(name string) (io.Writer, error) {
	return w.CreateHeader(&FileHeader{Name: name, Method: Deflate})
}

func (w *Writer) CreateHeader(fh *FileHeader) (io.Writer, error) {
	if err := w.begin(fh); err != nil {
		return nil, err
	}
	fh.prepare()
	e := &entry{FileHeader: fh, offset: uint64(w.out.n)}
	if isFolder(fh.Name) {
		fh.Method = Store
		fh.Flags &^= hasDescriptor
		fh.CompressedSize, fh.UncompressedSize = 0, 0
		fh.CompressedSize64, fh.UncompressedSize64 = 0, 0
		return w.add(e, nil)
	}
	fh.Flags |= hasDescriptor // since sizes follow the data
	pack := w.compressor(fh.Method)
	if pack == nil {
		return nil, ErrAlgorithm
	}
	f := &fileWriter{entry: e, zip: w.out, packed: &counter{w: w.out}, sum: crc32.NewIEEE()}
	packer, err := pack(f.packed)
	if err != nil {
		return nil, err
	}
	f.packer, f.plain = packer, &counter{w: packer}
	return w.add(e, f)
}

// prepare sets what a Writer decides of a header itself, and the times in both forms.
func (h *FileHeader) prepare() {
	isValid, needsMark := encoding(h.Name, h.Comment)
	switch {
	case h.NonUTF8:
		h.Flags &^= isUTF8
	case isValid && needsMark:
		h.Flags |= isUTF8
	}
	h.ReaderVersion = version
	h.CreatorVersion = h.CreatorVersion&^0xff | version
	if h.Modified.IsZero() {
		return
	}
	// A time of DOS has no zone, and no odd seconds.
	h.ModifiedDate, h.ModifiedTime = toDOS(h.Modified)
	const isModified = 1
	r := record(h.Extra)
	r.u16(extraTime, 5)
	r = append(r, isModified)
	r.u32(uint32(h.Modified.Unix()))
	h.Extra = r
}

// add writes the header of an entry, behind which f writes its data; a folder has none.
func (w *Writer) add(e *entry, f *fileWriter) (io.Writer, error) {
	w.entries = append(w.entries, e)
	if err := e.write(w.out); err != nil {
		return nil, err
	}
	w.last = f
	if f == nil {
		return folderWriter{}, nil
	}
	return f, nil
}

// write writes the header before the data.
func (e *entry) write(w io.Writer) error {
	if len(e.Name) > max16 {
		return errors.New("zip: FileHeader.Name too long")
	}
	if len(e.Extra) > max16 {
		return errors.New("zip: FileHeader.Extra too long")
	}
	reader := e.ReaderVersion
	var sizes [3]uint32
	var extra record
	if e.isRaw && e.Flags&hasDescriptor == 0 {
		sizes = [3]uint32{e.CRC32, uint32(e.CompressedSize64), uint32(e.UncompressedSize64)}
		if e.CompressedSize64 > max32 || e.UncompressedSize64 > max32 {
			reader = max(reader, version64)
			extra.u16(extra64, 16)
			extra.u64(e.UncompressedSize64, e.CompressedSize64)
			sizes[1], sizes[2] = max32, max32
		}
	}
	var r record
	r.u32(signFile)
	r.u16(reader, e.Flags, e.Method, e.ModifiedTime, e.ModifiedDate)
	r.u32(sizes[:]...)
	r.u16(uint16(len(e.Name)), uint16(len(e.Extra)+len(extra)))
	r.text(e.Name + string(e.Extra) + string(extra))
	_, err := w.Write(r)
	return err
}

func (w *Writer) CreateRaw(fh *FileHeader) (io.Writer, error) {
	if err := w.begin(fh); err != nil {
		return nil, err
	}
	fh.UncompressedSize, fh.CompressedSize = cut(fh.UncompressedSize64), cut(fh.CompressedSize64)
	e := &entry{FileHeader: fh, offset: uint64(w.out.n), isRaw: true}
	var f *fileWriter
	if !isFolder(fh.Name) {
		f = &fileWriter{entry: e, zip: w.out}
	}
	return w.add(e, f)
}

func (w *Writer) Copy(f *File) error {
	from, err := f.packed()
	if err != nil {
		return err
	}
	header := f.FileHeader
	to, err := w.CreateRaw(&header)
	return pour(to, from, err)
}

// pour copies what is left of from, unless there has been an error.
func pour(to io.Writer, from io.Reader, err error) error {
	if err == nil {
		_, err = io.Copy(to, from)
	}
	return err
}

func (w *Writer) AddFS(fsys fs.FS) error {
	add := func(name string, d fs.DirEntry, err error) error {
		if name != "." && err == nil {
			err = w.addFrom(fsys, name, d)
		}
		return err
	}
	return fs.WalkDir(fsys, ".", add)
}

// addFrom adds a file or folder.
func (w *Writer) addFrom(fsys fs.FS, name string, d fs.DirEntry) error {
	var to io.Writer
	h, err := headerOf(name, d)
	if err == nil {
		to, err = w.CreateHeader(h)
	}
	if err != nil || d.IsDir() {
		return err
	}
	from, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer from.Close()
	return pour(to, from, nil)
}

// headerOf is the header of what a folder tells of under that name.
func headerOf(name string, d fs.DirEntry) (*FileHeader, error) {
	about, err := d.Info()
	if err == nil && !d.IsDir() && !about.Mode().IsRegular() {
		err = errors.New("zip: cannot add non-regular file")
	}
	if err != nil {
		return nil, err
	}
	h, err := FileInfoHeader(about)
	if err == nil {
		h.Method = Deflate
		h.Name = name
		if d.IsDir() {
			h.Name += "/"
		}
	}
	return h, err
}

type folderWriter struct{}

func (folderWriter) Write(b []byte) (n int, err error) {
	if len(b) > 0 {
		err = errors.New("zip: write to directory")
	}
	return n, err
}

type fileWriter struct {
	*entry
	zip      io.Writer
	plain    *counter // into the packer
	packer   io.WriteCloser
	packed   *counter // out of it
	sum      hash.Hash32
	isClosed bool
}

func (f *fileWriter) Write(p []byte) (int, error) {
	if f.isClosed {
		return 0, errors.New("zip: write to closed file")
	}
	if f.isRaw {
		return f.zip.Write(p)
	}
	f.sum.Write(p)
	return f.plain.Write(p)
}

func (f *fileWriter) close() error {
	f.isClosed = true
	if !f.isRaw {
		if err := f.packer.Close(); err != nil {
			return err
		}
		f.CRC32 = f.sum.Sum32()
		f.CompressedSize64, f.UncompressedSize64 = uint64(f.packed.n), uint64(f.plain.n)
		f.CompressedSize, f.UncompressedSize = uint32(f.packed.n), uint32(f.plain.n)
		if f.isLarge() {
			f.CompressedSize, f.UncompressedSize = max32, max32
			f.ReaderVersion = version64
		}
	}
	if f.Flags&hasDescriptor == 0 {
		return nil
	}
	var r record
	r.u32(signDescriptor, f.CRC32)
	if f.isLarge() {
		r.u64(f.CompressedSize64, f.UncompressedSize64)
	} else {
		r.u32(f.CompressedSize, f.UncompressedSize)
	}
	_, err := f.zip.Write(r)
	return err
}

func (f *fileWriter) isLarge() bool {
	return f.CompressedSize64 > max32 || f.UncompressedSize64 > max32
}
