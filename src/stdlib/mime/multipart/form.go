package multipart

import (
	"bytes"
	"errors"
	"internal/godebug"
	"io"
	"math"
	"net/textproto"
	"os"
)

var ErrMessageTooLarge = errors.New("multipart: message too large")

// Form has the fields of a form and its files.
type Form struct {
	Value map[string][]string
	File  map[string][]*FileHeader
}

// RemoveAll removes the files that hold what did not fit into memory.
func (f *Form) RemoveAll() (first error) {
	for _, files := range f.File {
		for _, h := range files {
			if err := h.remove(); first == nil {
				first = err
			}
		}
	}
	return first
}

// remove removes what there is of a file on the disk; others may have done so.
func (h *FileHeader) remove() error {
	var err error
	if h.disk != "" {
		err = os.Remove(h.disk)
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// FileHeader is a file of a form.
type FileHeader struct {
	Filename string
	Header   textproto.MIMEHeader
	Size     int64

	content []byte
	// The file on the disk, in which others may lie too, and where it begins there.
	disk     string
	offset   int64
	isShared bool
}

// File is the content of a file.
type File interface {
	io.Reader
	io.ReaderAt
	io.Seeker
	io.Closer
}

type sectionReadCloser struct {
	*io.SectionReader
	below io.Closer
}

func (s sectionReadCloser) Close() error {
	if s.below == nil {
		return nil
	}
	return s.below.Close()
}

func (h *FileHeader) Open() (File, error) {
	if h.content != nil {
		return sectionOf(bytes.NewReader(h.content), 0, int64(len(h.content)), nil), nil
	}
	onDisk, err := os.Open(h.disk)
	switch {
	case err != nil:
		return nil, err
	case h.isShared:
		return sectionOf(onDisk, h.offset, h.Size, onDisk), nil
	}
	return onDisk, nil
}

func sectionOf(all io.ReaderAt, offset, size int64, below io.Closer) sectionReadCloser {
	return sectionReadCloser{io.NewSectionReader(all, offset, size), below}
}

// spill is the file that takes what does not fit into memory.
type spill struct {
	file *os.File
	end  int64
	// How many files of the form lie on the disk.
	count int
}

// take writes a file whose beginning has been read.
func (s *spill) take(h *FileHeader, begin []byte, rest io.Reader) (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp("", "multipart-"); err != nil {
			return err
		}
		s.end = 0
	}
	s.count++
	if _, err := s.file.Write(begin); err != nil {
		return err
	}
	n, err := io.Copy(struct{ io.Writer }{s.file}, rest)
	if err != nil {
		return err
	}
	h.disk, h.offset, h.Size = s.file.Name(), s.end, int64(len(begin))+n
	s.end += h.Size
	return nil
}

func (s *spill) close() (err error) {
	if s.file != nil {
		err = s.file.Close()
		s.file = nil
	}
	return err
}

// ReadForm reads all parts; files of more than so many bytes go to the disk.
func (r *Reader) ReadForm(maxMemory int64) (_ *Form, err error) {
	form := &Form{File: map[string][]*FileHeader{}, Value: map[string][]string{}}
	in := &intake{
		form:       form,
		isCombined: godebug.Value(filesSetting) != "distinct",
		parts:      limit(partsSetting, 1000),
		fields:     limit(headersSetting, 10000),
		forFiles:   min(max(maxMemory, 0), math.MaxInt64-1),
		forAll:     max(maxMemory, 0) + 10<<20,
	}
	if in.forAll <= 0 {
		in.forAll = math.MaxInt64
	}
	defer func() { err = in.end(err) }()
	for {
		p, err := r.next(false, in.forAll, in.fields)
		if err == io.EOF {
			return form, nil
		}
		if err == nil {
			err = in.part(p)
		}
		if err != nil {
			return nil, err
		}
	}
}

// An intake is a form being read, and what more it may take.
type intake struct {
	form       *Form
	disk       spill
	isCombined bool // all files that go to the disk are one there

	parts, fields int64
	// Bytes in memory: files may take so many, and everything 10 MB more.
	forFiles, forAll int64
}

func (in *intake) pay(n int64) error {
	if in.forAll -= n; in.forAll < 0 {
		return ErrMessageTooLarge
	}
	return nil
}

func (in *intake) part(p *Part) error {
	if in.parts--; in.parts < 0 {
		return ErrMessageTooLarge
	}
	name := p.FormName()
	if name == "" {
		return nil
	}
	if err := in.pay(int64(len(name)) + fieldCost); err != nil {
		return err
	}
	if p.FileName() != "" {
		return in.file(name, p)
	}
	value, err := begin(p, in.forAll)
	if err == nil {
		err = in.pay(int64(len(value)))
	}
	if err == nil {
		in.form.Value[name] = append(in.form.Value[name], string(value))
	}
	return err
}

func (in *intake) file(name string, p *Part) error {
	const headerCost = 100
	if err := in.pay(headerSize(p.Header) + fieldCost + headerCost); err != nil {
		return err
	}
	for _, values := range p.Header {
		in.fields -= int64(len(values))
	}
	h := &FileHeader{Filename: p.FileName(), Header: p.Header}
	content, err := begin(p, in.forFiles)
	size := int64(len(content))
	switch {
	case err != nil:
	case size <= in.forFiles:
		h.content, h.Size = content, size
		in.forFiles -= size
		in.forAll -= size
	default:
		err = in.disk.take(h, content, p)
		if err == nil && !in.isCombined {
			err = in.disk.close()
		}
	}
	if err == nil {
		in.form.File[name] = append(in.form.File[name], h)
	}
	return err
}

// begin reads so many bytes of a part, and one more if there is one.
func begin(p *Part, most int64) ([]byte, error) {
	var b bytes.Buffer
	_, err := io.CopyN(&b, p, most+1)
	if err == io.EOF {
		err = nil
	}
	return b.Bytes(), err
}

// end closes the file on the disk; after an error nothing of the form stays there.
func (in *intake) end(err error) error {
	begun := in.disk.file
	if e := in.disk.close(); err == nil {
		err = e
	}
	for _, files := range in.form.File {
		for _, h := range files {
			h.isShared = in.isCombined && in.disk.count > 1
		}
	}
	if err != nil {
		in.form.RemoveAll()
		if begun != nil {
			os.Remove(begun.Name())
		}
	}
	return err
}

// headerSize is what a header takes in memory, roughly.
func headerSize(h textproto.MIMEHeader) int64 {
	size := 400
	for name, values := range h {
		size += len(name) + fieldCost
		for _, v := range values {
			size += len(v)
		}
	}
	return int64(size)
}
