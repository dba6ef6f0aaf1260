package tar

// Writing. A header is planned as parts first, which are whole blocks: its own, and those before it
// with what it cannot hold. Then they are written one by one.

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// A Writer writes an archive: WriteHeader begins a file, Write writes what is in it.
type Writer struct {
	w       io.Writer
	left    int64 // bytes of the file still to be written
	padding int64 // behind it
	err     error
}

func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// write writes parts, until there is an error, which stays.
func (tw *Writer) write(parts ...[]byte) error {
	for _, part := range parts {
		if tw.err != nil {
			break
		}
		_, tw.err = tw.w.Write(part)
	}
	return tw.err
}

func (tw *Writer) Flush() error {
	if tw.err == nil && tw.left > 0 {
		return fmt.Errorf("archive/tar: missed writing %d bytes", tw.left)
	}
	err := tw.write(zeros[:tw.padding])
	if err == nil {
		tw.padding = 0
	}
	return err
}

func (tw *Writer) WriteHeader(hdr *Header) error {
	err := tw.Flush()
	if err != nil {
		return err
	}
	h := *hdr
	h.Typeflag = h.fileType()
	if h.Format == FormatUnknown {
		// What takes a larger format is left out, unless it is asked for.
		h.AccessTime, h.ChangeTime = time.Time{}, time.Time{}
		h.ModTime = h.ModTime.Round(time.Second)
	}
	formats, records, err := h.formats()
	if err != nil {
		return err
	}
	var p plan
	switch {
	case formats&FormatUSTAR != 0:
		p.ustar(&h)
	case formats&FormatPAX != 0:
		p.pax(&h, records)
	default:
		p.gnu(&h)
	}
	if tw.err = p.err; tw.write(p.parts...) != nil {
		return tw.err
	}
	if p.isFile && !hasNoData(h.Typeflag) {
		tw.left, tw.padding = h.Size, padding(h.Size)
	}
	return nil
}

// A plan is what shall be written before the data of a file; its error is that of any field.
type plan struct {
	formatter
	parts  [][]byte
	isFile bool // a file's header is the last part
}

// file plans the header of the file, whose columns are written by the two functions.
func (p *plan) file(h *Header, f Format, text func([]byte, string), number func([]byte, int64),
	rest func(*block)) {
	b := new(block)
	for i := range columns[:common] {
		b.write(&columns[i], h, text, number)
	}
	b.of(fieldType)[0] = h.Typeflag
	rest(b)
	b.seal(f)
	p.parts = append(p.parts, b[:])
	p.isFile = true
}

// special plans a header of what describes the file, and that.
func (p *plan) special(name string, data []byte, kind byte, f Format) {
	name = toASCII(name)
	short := Header{
		Name: strings.TrimRight(name[:min(len(name), fieldName.size)], "/"),
		Size: int64(len(data)),
	}
	b := new(block)
	for i := range columns[:common] {
		if c := &columns[i]; c.v7 && c.of(&short) != any(&short.Linkname) {
			b.write(c, &short, p.text, p.octal)
		}
	}
	b.of(fieldType)[0] = kind
	b.seal(f)
	p.parts = append(p.parts, b[:], data, zeros[:padding(short.Size)])
}

func (p *plan) ustar(h *Header) {
	short := *h
	prefix, rest, isLong := split(h.Name)
	if isLong {
		short.Name = rest
	}
	p.file(&short, FormatUSTAR, p.text, p.octal, func(b *block) {
		p.text(b.of(fieldPrefix), prefix)
	})
}

// pax plans records for what does not fit in the header.
func (p *plan) pax(h *Header, records map[string]string) {
	var text []byte
	for _, k := range slices.Sorted(maps.Keys(records)) {
		text = appendRecord(text, k, records[k])
	}
	if len(text) > maxSpecial {
		p.err = ErrFieldTooLong
		return
	}
	if h.Typeflag == TypeXGlobalHeader {
		name := h.Name
		if name == "" {
			name = "GlobalHead.0.0"
		}
		p.special(name, text, TypeXGlobalHeader, FormatPAX)
		return
	}
	if text != nil {
		folder, file := path.Split(h.Name)
		p.special(path.Join(folder, "PaxHeaders.0", file), text, TypeXHeader, FormatPAX)
	}
	var fields formatter // what is too long for it does not matter
	p.file(h, FormatPAX, func(b []byte, s string) { fields.text(b, toASCII(s)) }, fields.octal,
		func(*block) {})
}

// gnu plans files of their own for long names.
func (p *plan) gnu(h *Header) {
	if len(h.Name) > fieldName.size {
		p.special("././@LongLink", []byte(h.Name+"\x00"), TypeGNULongName, FormatGNU)
	}
	if len(h.Linkname) > fieldName.size {
		p.special("././@LongLink", []byte(h.Linkname+"\x00"), TypeGNULongLink, FormatGNU)
	}
	var fields formatter
	p.file(h, FormatGNU, fields.text, fields.number, func(b *block) {
		for i := common; i < len(columns); i++ {
			if c := &columns[i]; !c.of(h).(*time.Time).IsZero() {
				b.write(c, h, fields.text, fields.number)
			}
		}
	})
}

func (tw *Writer) Write(b []byte) (n int, err error) {
	if tw.err != nil {
		return 0, tw.err
	}
	if fits := min(int64(len(b)), tw.left); fits > 0 {
		n, tw.err = tw.w.Write(b[:fits])
	}
	over := int64(len(b)) > tw.left
	tw.left -= int64(n)
	if over && tw.err == nil {
		return n, ErrWriteTooLong
	}
	return n, tw.err
}

func (tw *Writer) AddFS(fsys fs.FS) error {
	add := func(name string, d fs.DirEntry, err error) error {
		if name != "." && err == nil {
			err = tw.addFrom(fsys, name, d)
		}
		return err
	}
	return fs.WalkDir(fsys, ".", add)
}

// addFrom adds what a folder tells of under that name, and what is in it.
func (tw *Writer) addFrom(fsys fs.FS, name string, d fs.DirEntry) error {
	h, err := headerOf(fsys, name, d)
	if err == nil {
		err = tw.WriteHeader(h)
	}
	if err != nil || !d.Type().IsRegular() {
		return err
	}
	file, err := fsys.Open(name)
	if err == nil {
		defer file.Close()
		_, err = io.Copy(tw, file)
	}
	return err
}

func (tw *Writer) Close() error {
	if tw.err == ErrWriteAfterClose {
		return nil
	}
	wasFine := tw.err == nil
	err := tw.Flush()
	if err == nil {
		err = tw.write(zeros[:], zeros[:])
	}
	if wasFine {
		tw.err = ErrWriteAfterClose
	}
	return err
}

// headerOf is the header of what a folder tells of under that name.
func headerOf(fsys fs.FS, name string, d fs.DirEntry) (*Header, error) {
	link := ""
	about, err := d.Info()
	switch kind := d.Type(); {
	case err != nil:
	case kind == fs.ModeSymlink:
		link, err = fs.ReadLink(fsys, name)
	case kind&^fs.ModeDir != 0:
		err = errors.New("tar: cannot add non-regular file")
	}
	if err != nil {
		return nil, err
	}
	h, err := FileInfoHeader(about, link)
	if err == nil {
		h.Name = name
		if d.IsDir() {
			h.Name += "/"
		}
	}
	return h, err
}
