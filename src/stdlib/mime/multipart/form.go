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
func (f *Form) RemoveAll() (err error) {
	for _, files := range f.File {
		for _, h := range files {
			if h.disk == "" {
				continue
			}
			if e := os.Remove(h.disk); e != nil && err == nil && !errors.Is(e, os.ErrNotExist) {
				err = e
			}
		}
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

type section struct {
	*io.SectionReader
	below io.Closer
}

func (s section) Close() error {
	if s.below == nil {
		return nil
	}
	return s.below.Close()
}

func (h *FileHeader) Open() (File, error) {
	if h.content != nil {
		all := bytes.NewReader(h.content)
		return section{io.NewSectionReader(all, 0, all.Size()), nil}, nil
	}
	f, err := os.Open(h.disk)
	if err != nil {
		return nil, err
	}
	if h.isShared {
		return section{io.NewSectionReader(f, h.offset, h.Size), f}, nil
	}
	return f, nil
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
	form := &Form{make(map[string][]string), make(map[string][]*FileHeader)}
	isCombined := godebug.Value(filesSetting) != "distinct"
	var disk spill
	defer func() {
		begun := disk.file
		if e := disk.close(); err == nil {
			err = e
		}
		for _, files := range form.File {
			for _, h := range files {
				h.isShared = isCombined && disk.count > 1
			}
		}
		if err != nil {
			form.RemoveAll()
			if begun != nil {
				os.Remove(begun.Name())
			}
		}
	}()

	maxParts := limit(partsSetting, 1000)
	maxFields := limit(headersSetting, 10000)
	// Files may take so much, and everything 10 MB more.
	forFiles := min(max(maxMemory, 0), math.MaxInt64-1)
	forAll := max(maxMemory, 0) + 10<<20
	if forAll <= 0 {
		forAll = math.MaxInt64
	}
	pay := func(n int64) bool {
		forAll -= n
		return forAll >= 0
	}
	for {
		p, err := r.next(false, forAll, maxFields)
		if err == io.EOF {
			return form, nil
		}
		if err != nil {
			return nil, err
		}
		if maxParts--; maxParts < 0 {
			return nil, ErrMessageTooLarge
		}
		name := p.FormName()
		if name == "" {
			continue
		}
		if !pay(int64(len(name)) + fieldCost) {
			return nil, ErrMessageTooLarge
		}
		var b bytes.Buffer
		filename := p.FileName()
		if filename == "" {
			n, err := io.CopyN(&b, p, forAll+1)
			if err != nil && err != io.EOF {
				return nil, err
			}
			if !pay(n) {
				return nil, ErrMessageTooLarge
			}
			form.Value[name] = append(form.Value[name], b.String())
			continue
		}
		const headerCost = 100
		if !pay(headerSize(p.Header) + fieldCost + headerCost) {
			return nil, ErrMessageTooLarge
		}
		for _, values := range p.Header {
			maxFields -= int64(len(values))
		}
		h := &FileHeader{Filename: filename, Header: p.Header}
		n, err := io.CopyN(&b, p, forFiles+1)
		if err != nil && err != io.EOF {
			return nil, err
		}
		if n > forFiles {
			if err := disk.take(h, b.Bytes(), p); err != nil {
				return nil, err
			}
			if !isCombined {
				if err := disk.close(); err != nil {
					return nil, err
				}
			}
		} else {
			h.content, h.Size = b.Bytes(), n
			forFiles -= n
			pay(n)
		}
		form.File[name] = append(form.File[name], h)
	}
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
