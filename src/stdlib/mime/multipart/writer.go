package multipart

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/textproto"
	"slices"
	"strings"
)

// Writer writes parts one after the other, with a boundary between them.
type Writer struct {
	w        io.Writer
	boundary string
	last     *partWriter
}

func NewWriter(w io.Writer) *Writer {
	var random [30]byte
	rand.Read(random[:])
	return &Writer{w: w, boundary: fmt.Sprintf("%x", random[:])}
}

func (w *Writer) Boundary() string { return w.boundary }

func (w *Writer) SetBoundary(boundary string) error {
	switch {
	case w.last != nil:
		return errors.New("mime: SetBoundary called after write")
	case boundary == "" || len(boundary) > 70:
		return errors.New("mime: invalid boundary length")
	}
	for i, c := range boundary {
		isPlain := '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' && c < 0x80
		isOther := strings.ContainsRune("'()+_,-./:=?", c) || c == ' ' && i < len(boundary)-1
		if !isPlain && !isOther {
			return errors.New("mime: invalid boundary character")
		}
	}
	w.boundary = boundary
	return nil
}

// CreatePart ends the part before, and begins one.
func (w *Writer) CreatePart(header textproto.MIMEHeader) (io.Writer, error) {
	begin := "--" + w.boundary + "\r\n"
	if w.last != nil {
		if err := w.last.end(); err != nil {
			return nil, err
		}
		begin = "\r\n" + begin
	}
	out := []byte(begin)
	for _, name := range slices.Sorted(maps.Keys(header)) {
		for _, value := range header[name] {
			out = fmt.Appendf(out, "%s: %s\r\n", name, value)
		}
	}
	_, err := w.w.Write(append(out, "\r\n"...))
	if err != nil {
		return nil, err
	}
	w.last = &partWriter{w: w.w}
	return w.last, nil
}

// FormDataContentType is the Content-Type of a form whose parts these are.
func (w *Writer) FormDataContentType() string {
	quote := ""
	if strings.ContainsAny(w.boundary, `()<>@,;:\"/[]?= `) {
		quote = `"`
	}
	return "multipart/form-data; boundary=" + quote + w.boundary + quote
}

var quotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", "%0D", "\n", "%0A")

// FileContentDisposition is the Content-Disposition of a file in a form.
func FileContentDisposition(fieldname, filename string) string {
	return formData(fieldname) + fmt.Sprintf(`; filename="%s"`, quotes.Replace(filename))
}

func formData(fieldname string) string {
	return fmt.Sprintf(`form-data; name="%s"`, quotes.Replace(fieldname))
}

func (w *Writer) CreateFormFile(fieldname, filename string) (io.Writer, error) {
	return w.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {FileContentDisposition(fieldname, filename)},
		"Content-Type":        {"application/octet-stream"},
	})
}

func (w *Writer) CreateFormField(fieldname string) (io.Writer, error) {
	return w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {formData(fieldname)}})
}

func (w *Writer) WriteField(fieldname, value string) error {
	field, err := w.CreateFormField(fieldname)
	if err == nil {
		_, err = field.Write([]byte(value))
	}
	return err
}

// Close ends the last part, and writes the last boundary.
func (w *Writer) Close() (err error) {
	if w.last != nil {
		err = w.last.end()
	}
	if err == nil {
		w.last = nil
		_, err = fmt.Fprintf(w.w, "\r\n--%s--\r\n", w.boundary)
	}
	return err
}

type partWriter struct {
	w     io.Writer
	ended bool
	err   error
}

func (p *partWriter) end() error {
	p.ended = true
	return p.err
}

func (p *partWriter) Write(d []byte) (n int, err error) {
	if p.ended {
		return 0, errors.New("multipart: can't write to finished part")
	}
	if n, err = p.w.Write(d); err != nil {
		p.err = err
	}
	return n, err
}
