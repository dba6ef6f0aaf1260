package tar

// Reading. Before the header of a file others may stand that tell more of it: remarks gathers them.
// What is in the file is data: all of it, or parts (sparse.go).

import (
	"internal/godebug"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Reader reads an archive: Next comes to the next file, Read reads what is in it.
type Reader struct {
	r       io.Reader
	padding int64 // behind the file
	file    data
	block   block // the last header
	err     error
}

// data is what is in a file.
type data interface {
	io.Reader
	// left is how much of the archive still belongs to it.
	left() int64
}

func NewReader(r io.Reader) *Reader { return &Reader{r: r, file: &plain{}} }

// must fills p with what has to be there.
func must(r io.Reader, p []byte) error {
	_, err := io.ReadFull(r, p)
	return cutShort(err)
}

// cutShort is err, where the end of the archive is no good end.
func cutShort(err error) error {
	if err != io.EOF {
		return err
	}
	return io.ErrUnexpectedEOF
}

// skip passes over n bytes. Where it can it seeks, but reads the last of them, which must be there.
func skip(r io.Reader, n int64) error {
	if s, ok := r.(io.Seeker); ok && n > 1 {
		if from, err := s.Seek(0, io.SeekCurrent); err == nil && from >= 0 {
			to, err := s.Seek(n-1, io.SeekCurrent)
			if err != nil || to < 0 {
				return err
			}
			n -= to - from
		}
	}
	_, err := io.CopyN(io.Discard, r, n)
	return cutShort(err)
}

func (tr *Reader) Next() (h *Header, err error) {
	if tr.err == nil {
		h, tr.err = tr.next()
	}
	if tr.err == nil && !filepath.IsLocal(h.Name) && godebug.Is("tarinsecurepath", "0") {
		return h, ErrInsecurePath
	}
	return h, tr.err
}

// remarks are what the headers before a file's say of it.
type remarks struct {
	records    map[string]string
	name, link string
	format     Format // those that the headers could be of
}

// next reads headers until one is a file's, or a global one.
func (tr *Reader) next() (*Header, error) {
	so := remarks{format: FormatUSTAR | FormatPAX | FormatGNU}
	for {
		h, err := tr.advance()
		if err != nil {
			return nil, err
		}
		so.format &= h.Format
		switch kind := h.Typeflag; kind {
		case TypeGNULongName:
			err = so.long(tr, &so.name)
		case TypeGNULongLink:
			err = so.long(tr, &so.link)
		case TypeXHeader, TypeXGlobalHeader:
			so.format &= FormatPAX
			so.records, err = tr.records()
			if kind == TypeXGlobalHeader && err == nil {
				h.merge(so.records)
				return &Header{
					Typeflag: kind, Name: h.Name, Format: so.format,
					PAXRecords: h.PAXRecords, Xattrs: h.Xattrs,
				}, nil
			}
		default:
			if err = tr.complete(h, so); err == nil {
				return h, nil
			}
		}
		if err != nil {
			return nil, err
		}
	}
}

// advance passes over what is left of a file, and reads the header behind it.
func (tr *Reader) advance() (*Header, error) {
	if err := skip(tr.r, tr.file.left()); err != nil {
		return nil, err
	}
	if _, err := io.CopyN(io.Discard, tr.r, tr.padding); err != nil {
		return nil, err
	}
	tr.padding = 0
	h, err := tr.header()
	if err != nil {
		return nil, err
	}
	return h, tr.begin(h)
}

// begin makes the data of the file that which comes next.
func (tr *Reader) begin(h *Header) error {
	n := h.Size
	switch {
	case hasNoData(h.Typeflag):
		n = 0
	case n < 0:
		return ErrHeader
	}
	tr.file = &plain{io.LimitedReader{R: tr.r, N: n}}
	tr.padding = padding(n)
	return nil
}

// long reads a name that is too long for a header.
func (so *remarks) long(tr *Reader, name *string) error {
	so.format &= FormatGNU
	text, err := tr.special()
	*name = new(parser).text(text)
	return err
}

// complete makes the header of a file say what the remarks do, and its data what these make of it.
func (tr *Reader) complete(h *Header, so remarks) error {
	if err := h.merge(so.records); err != nil {
		return err
	}
	if so.name != "" {
		h.Name = so.name
	}
	if so.link != "" {
		h.Linkname = so.link
	}
	h.Typeflag = h.fileType()
	err := tr.begin(h)
	if err == nil {
		err = tr.sparse(h)
	}
	if both := FormatUSTAR | FormatPAX; so.format&both == both {
		so.format &= FormatUSTAR
	}
	h.Format = so.format
	return err
}

// fileType is the type, where that of V7 is told by the name.
func (h *Header) fileType() byte {
	switch {
	case h.Typeflag != TypeRegA:
		return h.Typeflag
	case strings.HasSuffix(h.Name, "/"):
		return TypeDir
	}
	return TypeReg
}

// special is the data of what describes a file.
func (tr *Reader) special() ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(tr, maxSpecial+1))
	if len(b) > maxSpecial {
		return nil, ErrFieldTooLong
	}
	return b, err
}

// records reads the records of PAX. The oldest sparse files have two for each fragment, with the
// same keys; they come out as one.
func (tr *Reader) records() (map[string]string, error) {
	b, err := tr.special()
	if err != nil {
		return nil, err
	}
	numbers := [...]string{keySparse + "offset", keySparse + "numbytes"}
	var list []string
	all := map[string]string{}
	r := pairReader{rest: string(b)}
	for k, v, ok := r.next(); ok; k, v, ok = r.next() {
		if turn := slices.Index(numbers[:], k); turn < 0 {
			all[k] = v
		} else if turn == len(list)%2 && !strings.Contains(v, ",") {
			list = append(list, v)
		} else {
			return nil, ErrHeader
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	if list != nil {
		all[keySparse+"map"] = strings.Join(list, ",")
	}
	return all, nil
}

// merge takes over what records say, but for empty ones.
func (h *Header) merge(records map[string]string) (err error) {
	for k, v := range records {
		if v == "" {
			continue
		}
		if c := columnOf(k); c != nil {
			c.set(h, func() string { return v },
				func() (n int64) { n, err = decimal(v); return n },
				func() (t time.Time) { t, err = parseTime(v); return t })
		} else if name, ok := strings.CutPrefix(k, keyXattr); ok {
			if h.Xattrs == nil {
				h.Xattrs = map[string]string{}
			}
			h.Xattrs[name] = v
		}
		if err != nil {
			return err
		}
	}
	h.PAXRecords = records
	return nil
}

// header reads a block; two of zeros are the end.
func (tr *Reader) header() (*Header, error) {
	b := &tr.block
	for empty := 0; ; empty++ {
		if _, err := io.ReadFull(tr.r, b[:]); err != nil {
			return nil, err
		}
		switch isEmpty := *b == zeros; {
		case !isEmpty && empty == 0:
			return b.header()
		case !isEmpty:
			return nil, ErrHeader
		case empty == 1:
			return nil, io.EOF
		}
	}
}

// header reads the columns that the block has, and what else its format knows.
func (b *block) header() (*Header, error) {
	format := b.format()
	if format == FormatUnknown {
		return nil, ErrHeader
	}
	var p parser
	h := &Header{Typeflag: b.of(fieldType)[0]}
	for i := range columns[:common] {
		if c := &columns[i]; c.v7 || format != formatV7 {
			b.read(c, h, &p)
		}
	}
	prefix := ""
	switch format {
	case formatV7:
	case formatSTAR:
		prefix = p.text(b.of(starPrefix))
		h.AccessTime = time.Unix(p.number(b.of(starAtime)), 0)
		h.ChangeTime = time.Unix(p.number(b.of(starCtime)), 0)
	case FormatGNU:
		h.Format = format
		prefix = h.gnuTimes(b)
	default:
		if b.isStrict() {
			h.Format = format
		}
		prefix = p.text(b.of(fieldPrefix))
	}
	if prefix != "" {
		h.Name = prefix + "/" + h.Name
	}
	return h, p.err
}

// isStrict says whether a header is ASCII, and its numbers end in zeros.
func (b *block) isStrict() bool {
	var blank Header
	for i := range columns[:common] {
		c := &columns[i]
		if _, isText := c.of(&blank).(*string); !isText && b[c.at+c.size-1] != 0 {
			return false
		}
	}
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// gnuTimes takes the times that GNU has where others have a prefix. Old versions of Go wrote a
// prefix there, which it gives.
func (h *Header) gnuTimes(b *block) (prefix string) {
	var p parser
	for i := common; i < len(columns); i++ {
		if c := &columns[i]; b[c.at] != 0 {
			b.read(c, h, &p)
		}
	}
	if p.err == nil {
		return ""
	}
	h.AccessTime, h.ChangeTime, h.Format = time.Time{}, time.Time{}, FormatUnknown
	if prefix = p.text(b.of(fieldPrefix)); !isASCII(prefix) {
		prefix = ""
	}
	return prefix
}

func (tr *Reader) Read(b []byte) (n int, err error) {
	if tr.err == nil {
		n, err = tr.file.Read(b)
		if err != io.EOF {
			tr.err = err
		}
		return n, err
	}
	return 0, tr.err
}

// plain is a file all of which is in the archive.
type plain struct{ io.LimitedReader }

func (p *plain) left() int64 { return p.N }

// Read gives io.EOF along with the last bytes.
func (p *plain) Read(b []byte) (n int, err error) {
	if len(b) > 0 || p.N == 0 {
		n, err = p.LimitedReader.Read(b)
	}
	if p.N > 0 {
		return n, cutShort(err)
	}
	if err == nil {
		err = io.EOF
	}
	return n, err
}
