package zip

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

func (w *Writer) SetComment(comment string) error {
	if len(comment) > max16 {
		return errors.New("zip: Writer.Comment too long")
	}
	w.comment = comment
	return nil
}

func (w *Writer) RegisterCompressor(method uint16, comp Compressor) {
	if w.compressors == nil {
		w.compressors = map[uint16]Compressor{}
	}
	w.compressors[method] = comp
}

func (w *Writer) compressor(method uint16) Compressor {
	if own := w.compressors[method]; own != nil {
		return own
	}
	c, _ := compressors.Load(method)
	f, _ := c.(Compressor)
	return f
}

// A record is a part of the archive, number by number.
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
	if isValid, needsMark := encoding(fh.Name, fh.Comment); fh.NonUTF8 {
		fh.Flags &^= isUTF8
	} else if isValid && needsMark {
		fh.Flags |= isUTF8
	}
	fh.CreatorVersion = fh.CreatorVersion&0xff00 | version
	fh.ReaderVersion = version
	if !fh.Modified.IsZero() {
		// A time of DOS has no zone, and no odd seconds.
		fh.ModifiedDate, fh.ModifiedTime = toDOS(fh.Modified)
		const isModified = 1
		r := record(fh.Extra)
		r.u16(extraTime, 5)
		r = append(r, isModified)
		r.u32(uint32(fh.Modified.Unix()))
		fh.Extra = r
	}
	e := &entry{FileHeader: fh, offset: uint64(w.out.n)}
	var out io.Writer = folderWriter{}
	var file *fileWriter
	if isFolder(fh.Name) {
		fh.Method = Store
		fh.Flags &^= hasDescriptor
		fh.CompressedSize, fh.CompressedSize64 = 0, 0
		fh.UncompressedSize, fh.UncompressedSize64 = 0, 0
	} else {
		// Sizes follow the data.
		fh.Flags |= hasDescriptor
		file = &fileWriter{entry: e, zip: w.out, packed: &counter{w: w.out}, sum: crc32.NewIEEE()}
		pack := w.compressor(fh.Method)
		if pack == nil {
			return nil, ErrAlgorithm
		}
		packer, err := pack(file.packed)
		if err != nil {
			return nil, err
		}
		file.packer, file.plain = packer, &counter{w: packer}
		out = file
	}
	w.entries = append(w.entries, e)
	if err := e.write(w.out); err != nil {
		return nil, err
	}
	w.last = file
	return out, nil
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
	fh.CompressedSize = cut(fh.CompressedSize64)
	fh.UncompressedSize = cut(fh.UncompressedSize64)
	e := &entry{FileHeader: fh, offset: uint64(w.out.n), isRaw: true}
	w.entries = append(w.entries, e)
	if err := e.write(w.out); err != nil {
		return nil, err
	}
	if isFolder(fh.Name) {
		w.last = nil
		return folderWriter{}, nil
	}
	w.last = &fileWriter{entry: e, zip: w.out}
	return w.last, nil
}

func (w *Writer) Copy(f *File) error {
	r, err := f.OpenRaw()
	if err != nil {
		return err
	}
	h := f.FileHeader
	to, err := w.CreateRaw(&h)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, r)
	return err
}

func (w *Writer) AddFS(fsys fs.FS) error {
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		if !d.IsDir() && !fi.Mode().IsRegular() {
			return errors.New("zip: cannot add non-regular file")
		}
		h, err := FileInfoHeader(fi)
		if err != nil {
			return err
		}
		h.Name, h.Method = name, Deflate
		if d.IsDir() {
			h.Name += "/"
		}
		to, err := w.CreateHeader(h)
		if err != nil || d.IsDir() {
			return err
		}
		f, err := fsys.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(to, f)
		return err
	})
}

type folderWriter struct{}

func (folderWriter) Write(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	return 0, errors.New("zip: write to directory")
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
