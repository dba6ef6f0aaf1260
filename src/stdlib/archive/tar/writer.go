package tar

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

type Writer struct {
	w       io.Writer
	left    int64 // bytes of the file still to be written
	padding int64 // behind it
	err     error
}

func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

func (tw *Writer) Flush() error {
	if tw.err != nil {
		return tw.err
	}
	if tw.left > 0 {
		return fmt.Errorf("archive/tar: missed writing %d bytes", tw.left)
	}
	if _, tw.err = tw.w.Write(zeros[:tw.padding]); tw.err == nil {
		tw.padding = 0
	}
	return tw.err
}

func (tw *Writer) WriteHeader(hdr *Header) error {
	if err := tw.Flush(); err != nil {
		return err
	}
	h := *hdr
	if h.Typeflag == TypeRegA {
		h.Typeflag = TypeReg
		if strings.HasSuffix(h.Name, "/") {
			h.Typeflag = TypeDir
		}
	}
	if h.Format == FormatUnknown {
		// What takes a larger format is left out, unless it is asked for.
		h.ModTime = h.ModTime.Round(time.Second)
		h.AccessTime, h.ChangeTime = time.Time{}, time.Time{}
	}
	formats, records, err := h.formats()
	switch {
	case formats&FormatUSTAR != 0:
		tw.err = tw.ustar(&h)
	case formats&FormatPAX != 0:
		tw.err = tw.pax(&h, records)
	case formats&FormatGNU != 0:
		tw.err = tw.gnu(&h)
	default:
		return err
	}
	return tw.err
}

// fields fills a block with what all formats have.
func fields(h *Header, text func([]byte, string), number func([]byte, int64)) *block {
	modified := h.ModTime
	if modified.IsZero() {
		modified = time.Unix(0, 0)
	}
	b := new(block)
	b.of(fieldType)[0] = h.Typeflag
	text(b.of(fieldName), h.Name)
	text(b.of(fieldLink), h.Linkname)
	number(b.of(fieldMode), h.Mode)
	number(b.of(fieldUid), int64(h.Uid))
	number(b.of(fieldGid), int64(h.Gid))
	number(b.of(fieldSize), h.Size)
	number(b.of(fieldMtime), modified.Unix())
	text(b.of(fieldUname), h.Uname)
	text(b.of(fieldGname), h.Gname)
	number(b.of(fieldMajor), h.Devmajor)
	number(b.of(fieldMinor), h.Devminor)
	return b
}

func (tw *Writer) ustar(h *Header) error {
	prefix, rest, ok := split(h.Name)
	if ok {
		h.Name = rest
	}
	var f formatter
	b := fields(h, f.text, f.octal)
	f.text(b.of(fieldPrefix), prefix)
	b.seal(FormatUSTAR)
	if f.err != nil {
		return f.err
	}
	return tw.begin(b, h.Size, h.Typeflag)
}

func (tw *Writer) pax(h *Header, records map[string]string) error {
	isGlobal := h.Typeflag == TypeXGlobalHeader
	if len(records) > 0 || isGlobal {
		var text strings.Builder
		for _, k := range slices.Sorted(maps.Keys(records)) {
			text.WriteString(formatRecord(k, records[k]))
		}
		folder, file := path.Split(h.Name)
		name, kind := path.Join(folder, "PaxHeaders.0", file), byte(TypeXHeader)
		if isGlobal {
			name, kind = h.Name, TypeXGlobalHeader
			if name == "" {
				name = "GlobalHead.0.0"
			}
		}
		if text.Len() > maxSpecial {
			return ErrFieldTooLong
		}
		if err := tw.special(name, text.String(), kind, FormatPAX); err != nil || isGlobal {
			return err
		}
	}
	// What does not fit stands in the records.
	var f formatter
	b := fields(h, func(p []byte, s string) { f.text(p, toASCII(s)) }, f.octal)
	b.seal(FormatPAX)
	return tw.begin(b, h.Size, h.Typeflag)
}

func (tw *Writer) gnu(h *Header) error {
	for _, long := range []struct {
		s    string
		kind byte
	}{{h.Name, TypeGNULongName}, {h.Linkname, TypeGNULongLink}} {
		if len(long.s) <= fieldName.size {
			continue
		}
		if err := tw.special("././@LongLink", long.s+"\x00", long.kind, FormatGNU); err != nil {
			return err
		}
	}
	var f formatter
	b := fields(h, f.text, f.number)
	if !h.AccessTime.IsZero() {
		f.number(b.of(gnuAtime), h.AccessTime.Unix())
	}
	if !h.ChangeTime.IsZero() {
		f.number(b.of(gnuCtime), h.ChangeTime.Unix())
	}
	b.seal(FormatGNU)
	return tw.begin(b, h.Size, h.Typeflag)
}

// special writes what describes the next file.
func (tw *Writer) special(name, text string, kind byte, format Format) error {
	name = toASCII(name)
	name = strings.TrimRight(name[:min(len(name), fieldName.size)], "/")
	var f formatter
	b := new(block)
	b.of(fieldType)[0] = kind
	f.text(b.of(fieldName), name)
	for _, zero := range []field{fieldMode, fieldUid, fieldGid, fieldMtime} {
		f.octal(b.of(zero), 0)
	}
	f.octal(b.of(fieldSize), int64(len(text)))
	b.seal(format)
	if f.err != nil {
		return f.err
	}
	if err := tw.begin(b, int64(len(text)), kind); err != nil {
		return err
	}
	_, err := io.WriteString(tw, text)
	return err
}

// begin writes a header, and makes room for the data behind it.
func (tw *Writer) begin(b *block, size int64, kind byte) error {
	if err := tw.Flush(); err != nil {
		return err
	}
	if _, err := tw.w.Write(b[:]); err != nil {
		return err
	}
	if hasNoData(kind) {
		size = 0
	}
	tw.left, tw.padding = size, padding(size)
	return nil
}

func (tw *Writer) Write(b []byte) (n int, err error) {
	if tw.err != nil {
		return 0, tw.err
	}
	isLong := int64(len(b)) > tw.left
	b = b[:min(int64(len(b)), tw.left)]
	if len(b) > 0 {
		n, tw.err = tw.w.Write(b)
		tw.left -= int64(n)
	}
	if tw.err == nil && isLong {
		return n, ErrWriteTooLong
	}
	return n, tw.err
}

func (tw *Writer) Close() error {
	if tw.err == ErrWriteAfterClose {
		return nil
	}
	if tw.err != nil {
		return tw.err
	}
	err := tw.Flush()
	for i := 0; i < 2 && err == nil; i++ {
		_, err = tw.w.Write(zeros[:])
	}
	tw.err = ErrWriteAfterClose
	return err
}

func (tw *Writer) AddFS(fsys fs.FS) error {
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		link := ""
		switch kind := d.Type(); {
		case kind == fs.ModeSymlink:
			if link, err = fs.ReadLink(fsys, name); err != nil {
				return err
			}
		case !kind.IsRegular() && kind != fs.ModeDir:
			return errors.New("tar: cannot add non-regular file")
		}
		h, err := FileInfoHeader(fi, link)
		if err != nil {
			return err
		}
		h.Name = name
		if d.IsDir() {
			h.Name += "/"
		}
		if err := tw.WriteHeader(h); err != nil || !d.Type().IsRegular() {
			return err
		}
		f, err := fsys.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(tw, f)
		return err
	})
}
