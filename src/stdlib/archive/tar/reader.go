package tar

import (
	"bytes"
	"internal/godebug"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

type Reader struct {
	r       io.Reader
	padding int64 // behind the file
	file    data
	block   block
	err     error
}

// data is what is in a file.
type data interface {
	io.Reader
	// left is how much of the archive still belongs to it.
	left() int64
}

func NewReader(r io.Reader) *Reader { return &Reader{r: r, file: &plain{r: r}} }

// fill fills p, or gives io.EOF where the data ends before.
func fill(r io.Reader, p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var m int
		m, err = r.Read(p[n:])
		n += m
	}
	if n == len(p) && err == io.EOF {
		err = nil
	}
	return n, err
}

// must is fill of what has to be there.
func must(r io.Reader, p []byte) error {
	_, err := fill(r, p)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// skip passes over n bytes. Where it can it seeks, but reads the last of them, which must be there.
func skip(r io.Reader, n int64) error {
	sought := int64(0)
	if s, ok := r.(io.Seeker); ok && n > 1 {
		from, err := s.Seek(0, io.SeekCurrent)
		if from >= 0 && err == nil {
			to, err := s.Seek(n-1, io.SeekCurrent)
			if to < 0 || err != nil {
				return err
			}
			sought = to - from
		}
	}
	read, err := io.CopyN(io.Discard, r, n-sought)
	if err == io.EOF && sought+read < n {
		err = io.ErrUnexpectedEOF
	}
	return err
}

func (tr *Reader) Next() (*Header, error) {
	if tr.err != nil {
		return nil, tr.err
	}
	h, err := tr.next()
	tr.err = err
	if err == nil && !filepath.IsLocal(h.Name) && godebug.Value("tarinsecurepath") == "0" {
		err = ErrInsecurePath
	}
	return h, err
}

// next reads headers until one is a file's, with what the others say of it.
func (tr *Reader) next() (*Header, error) {
	var records map[string]string
	var name, link string
	format := FormatUSTAR | FormatPAX | FormatGNU
	for {
		if err := skip(tr.r, tr.file.left()); err != nil {
			return nil, err
		}
		if _, err := fill(tr.r, tr.block[:tr.padding]); err != nil {
			return nil, err
		}
		tr.padding = 0
		h, err := tr.header()
		if err == nil {
			err = tr.begin(h)
		}
		if err != nil {
			return nil, err
		}
		format &= h.Format
		switch h.Typeflag {
		case TypeXHeader, TypeXGlobalHeader:
			format &= FormatPAX
			if records, err = tr.records(); err != nil {
				return nil, err
			}
			if h.Typeflag == TypeXGlobalHeader {
				h.merge(records)
				return &Header{
					Name: h.Name, Typeflag: h.Typeflag, Xattrs: h.Xattrs, PAXRecords: h.PAXRecords,
					Format: format,
				}, nil
			}
		case TypeGNULongName, TypeGNULongLink:
			format &= FormatGNU
			text, err := tr.special()
			if err != nil {
				return nil, err
			}
			s := new(parser).text(text)
			if h.Typeflag == TypeGNULongName {
				name = s
			} else {
				link = s
			}
		default:
			if err := h.merge(records); err != nil {
				return nil, err
			}
			if name != "" {
				h.Name = name
			}
			if link != "" {
				h.Linkname = link
			}
			if h.Typeflag == TypeRegA {
				h.Typeflag = TypeReg
				if strings.HasSuffix(h.Name, "/") {
					h.Typeflag = TypeDir
				}
			}
			if err := tr.begin(h); err != nil {
				return nil, err
			}
			if err := tr.sparse(h); err != nil {
				return nil, err
			}
			if format&FormatUSTAR != 0 && format&FormatPAX != 0 {
				format &= FormatUSTAR
			}
			h.Format = format
			return h, nil
		}
	}
}

// begin makes the data of the file that which comes next.
func (tr *Reader) begin(h *Header) error {
	n := h.Size
	if hasNoData(h.Typeflag) {
		n = 0
	}
	if n < 0 {
		return ErrHeader
	}
	tr.padding = padding(n)
	tr.file = &plain{tr.r, n}
	return nil
}

// special is the data of what describes a file.
func (tr *Reader) special() ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(tr, maxSpecial+1))
	if len(b) > maxSpecial {
		return nil, ErrFieldTooLong
	}
	return b, err
}

func (tr *Reader) records() (map[string]string, error) {
	b, err := tr.special()
	if err != nil {
		return nil, err
	}
	records := map[string]string{}
	// The oldest sparse files have a pair of records for each fragment.
	var fragments []string
	for s := string(b); len(s) > 0; {
		var k, v string
		if k, v, s, err = parseRecord(s); err != nil {
			return nil, ErrHeader
		}
		switch k {
		case keySparse + "offset", keySparse + "numbytes":
			isOffset := k == keySparse+"offset"
			if isOffset != (len(fragments)%2 == 0) || strings.Contains(v, ",") {
				return nil, ErrHeader
			}
			fragments = append(fragments, v)
		default:
			records[k] = v
		}
	}
	if len(fragments) > 0 {
		records[keySparse+"map"] = strings.Join(fragments, ",")
	}
	return records, nil
}

// merge takes over what records say, but for empty ones.
func (h *Header) merge(records map[string]string) (err error) {
	number := func(v string) (n int64) {
		n, err = strconv.ParseInt(v, 10, 64)
		return n
	}
	for k, v := range records {
		if v == "" {
			continue
		}
		switch k {
		case keyPath:
			h.Name = v
		case keyLink:
			h.Linkname = v
		case keyUname:
			h.Uname = v
		case keyGname:
			h.Gname = v
		case keyUid:
			h.Uid = int(number(v))
		case keyGid:
			h.Gid = int(number(v))
		case keySize:
			h.Size = number(v)
		case keyAtime:
			h.AccessTime, err = parseTime(v)
		case keyMtime:
			h.ModTime, err = parseTime(v)
		case keyCtime:
			h.ChangeTime, err = parseTime(v)
		default:
			if name, ok := strings.CutPrefix(k, keyXattr); ok {
				if h.Xattrs == nil {
					h.Xattrs = map[string]string{}
				}
				h.Xattrs[name] = v
			}
		}
		if err != nil {
			return ErrHeader
		}
	}
	h.PAXRecords = records
	return nil
}

// header reads a block; two of zeros are the end.
func (tr *Reader) header() (*Header, error) {
	b := &tr.block
	if _, err := io.ReadFull(tr.r, b[:]); err != nil {
		return nil, err
	}
	if *b == zeros {
		if _, err := io.ReadFull(tr.r, b[:]); err != nil {
			return nil, err
		}
		if *b == zeros {
			return nil, io.EOF
		}
		return nil, ErrHeader
	}
	format := b.format()
	if format == FormatUnknown {
		return nil, ErrHeader
	}
	var p parser
	at := func(f field) time.Time { return time.Unix(p.number(b.of(f)), 0) }
	h := &Header{
		Typeflag: b.of(fieldType)[0],
		Name:     p.text(b.of(fieldName)),
		Linkname: p.text(b.of(fieldLink)),
		Size:     p.number(b.of(fieldSize)),
		Mode:     p.number(b.of(fieldMode)),
		Uid:      int(p.number(b.of(fieldUid))),
		Gid:      int(p.number(b.of(fieldGid))),
		ModTime:  at(fieldMtime),
	}
	if format == formatV7 {
		return h, p.err
	}
	h.Uname, h.Gname = p.text(b.of(fieldUname)), p.text(b.of(fieldGname))
	h.Devmajor, h.Devminor = p.number(b.of(fieldMajor)), p.number(b.of(fieldMinor))
	prefix := ""
	switch format {
	case formatSTAR:
		prefix = p.text(b.of(starPrefix))
		h.AccessTime, h.ChangeTime = at(starAtime), at(starCtime)
	case FormatGNU:
		h.Format = format
		prefix = h.gnuTimes(b)
	default:
		h.Format = format
		prefix = p.text(b.of(fieldPrefix))
		if !b.isStrict() {
			h.Format = FormatUnknown
		}
	}
	if prefix != "" {
		h.Name = prefix + "/" + h.Name
	}
	return h, p.err
}

// isStrict says whether a header is ASCII, and its numbers end in zeros.
func (b *block) isStrict() bool {
	for _, f := range []field{
		fieldSize, fieldMode, fieldUid, fieldGid, fieldMtime, fieldMajor, fieldMinor,
	} {
		if b[f.at+f.size-1] != 0 {
			return false
		}
	}
	return bytes.IndexFunc(b[:], func(r rune) bool { return r >= 0x80 }) < 0
}

// gnuTimes takes the times that GNU has where others have a prefix. Old versions of Go wrote a
// prefix there, which it gives.
func (h *Header) gnuTimes(b *block) (prefix string) {
	var p parser
	if t := b.of(gnuAtime); t[0] != 0 {
		h.AccessTime = time.Unix(p.number(t), 0)
	}
	if t := b.of(gnuCtime); t[0] != 0 {
		h.ChangeTime = time.Unix(p.number(t), 0)
	}
	if p.err == nil {
		return ""
	}
	h.AccessTime, h.ChangeTime, h.Format = time.Time{}, time.Time{}, FormatUnknown
	if s := p.text(b.of(fieldPrefix)); isASCII(s) {
		prefix = s
	}
	return prefix
}

// sparse sees whether parts of the file are not in the archive, and gives them back.
func (tr *Reader) sparse(h *Header) error {
	var parts []fragment
	var err error
	if h.Typeflag == TypeGNUSparse {
		parts, err = tr.oldFragments(h)
	} else {
		parts, err = tr.fragments(h)
	}
	if err != nil || parts == nil {
		return err
	}
	if hasNoData(h.Typeflag) || !areOrdered(parts, h.Size) {
		return ErrHeader
	}
	tr.file = &sparse{tr.file, parts, 0, h.Size}
	return nil
}

func add(list []fragment, f fragment) ([]fragment, error) {
	if len(list) >= maxSparse {
		return nil, errSparseTooLong
	}
	return append(list, f), nil
}

// oldFragments are those of a header of GNU and the blocks behind it.
func (tr *Reader) oldFragments(h *Header) (list []fragment, err error) {
	b := &tr.block
	if b.format() != FormatGNU {
		return nil, ErrHeader
	}
	var p parser
	h.Size = p.number(b.of(gnuSize))
	if p.err != nil {
		return nil, p.err
	}
	const size = 24 // of a pair
	list = []fragment{}
	part := b.of(gnuSparse)
	for total := len(part); total < maxSpecial; total += len(part) {
		n := len(part) / size
		for i := range n {
			pair := part[i*size:]
			if pair[0] == 0 {
				break
			}
			f := fragment{p.number(pair[:12]), p.number(pair[12:size])}
			if p.err != nil {
				return nil, p.err
			}
			if list, err = add(list, f); err != nil {
				return nil, err
			}
		}
		if part[n*size] == 0 {
			return list, nil
		}
		if err := must(tr.r, b[:]); err != nil {
			return nil, err
		}
		part = b[:]
	}
	return nil, errSparseTooLong
}

// fragments are those that the records of PAX tell of; nil if it is no sparse file.
func (tr *Reader) fragments(h *Header) ([]fragment, error) {
	at := func(key string) string { return h.PAXRecords[keySparse+key] }
	isNew := false
	switch v := at("major") + "." + at("minor"); {
	case v == "0.0", v == "0.1":
	case v == "1.0":
		isNew = true
	case v != "." || at("map") == "":
		return nil, nil
	}
	if name := at("name"); name != "" {
		h.Name = name
	}
	size := at("size")
	if size == "" {
		size = at("realsize")
	}
	if size != "" {
		n, err := strconv.ParseInt(size, 10, 64)
		if err != nil {
			return nil, ErrHeader
		}
		h.Size = n
	}
	var numbers func() string
	count := at("numblocks")
	if isNew {
		// They stand before the data, as lines in blocks.
		lines := &lines{r: tr.file}
		numbers = lines.next
		count = numbers()
		if lines.err != nil {
			return nil, lines.err
		}
		n, err := counted(count)
		if err != nil {
			return nil, err
		}
		if err := lines.need(2 * n); err != nil {
			return nil, err
		}
	} else {
		list := strings.Split(at("map"), ",")
		if at("map") == "" {
			list = nil
		}
		if n, err := counted(count); err != nil || int64(len(list)) != 2*n {
			return nil, ErrHeader
		}
		numbers = func() (s string) {
			s, list = list[0], list[1:]
			return s
		}
	}
	n, _ := counted(count)
	list := make([]fragment, 0, min(n, maxSparse))
	for range n {
		offset, err := strconv.ParseInt(numbers(), 10, 64)
		length, err2 := strconv.ParseInt(numbers(), 10, 64)
		if err != nil || err2 != nil {
			return nil, ErrHeader
		}
		if list, err = add(list, fragment{offset, length}); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// counted is a number of fragments.
func counted(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 0)
	if err != nil || n < 0 || 2*n < n {
		return 0, ErrHeader
	}
	return n, nil
}

// lines are lines in whole blocks.
type lines struct {
	r     io.Reader
	text  []byte
	ends  int64
	total int
	err   error
}

// need reads until there are n lines.
func (l *lines) need(n int64) error {
	for l.ends < n && l.err == nil {
		var b block
		if l.total += len(b); l.total > maxSpecial {
			l.err = errSparseTooLong
			break
		}
		if l.err = must(l.r, b[:]); l.err == nil {
			l.text = append(l.text, b[:]...)
			l.ends += int64(bytes.Count(b[:], []byte{'\n'}))
		}
	}
	return l.err
}

func (l *lines) next() string {
	if l.need(1) != nil {
		return ""
	}
	line, rest, _ := bytes.Cut(l.text, []byte{'\n'})
	l.text = rest
	l.ends--
	return string(line)
}

func (tr *Reader) Read(b []byte) (int, error) {
	if tr.err != nil {
		return 0, tr.err
	}
	n, err := tr.file.Read(b)
	if err != nil && err != io.EOF {
		tr.err = err
	}
	return n, err
}

// plain is a file all of which is in the archive.
type plain struct {
	r io.Reader
	n int64 // bytes left
}

func (p *plain) left() int64 { return p.n }

func (p *plain) Read(b []byte) (n int, err error) {
	b = b[:min(int64(len(b)), p.n)]
	if len(b) > 0 {
		n, err = p.r.Read(b)
		p.n -= int64(n)
	}
	switch {
	case err == io.EOF && p.n > 0:
		err = io.ErrUnexpectedEOF
	case err == nil && p.n == 0:
		err = io.EOF
	}
	return n, err
}

// sparse is a file with holes, which are zeros.
type sparse struct {
	file  data
	parts []fragment // not yet read
	at    int64
	size  int64
}

func (s *sparse) left() int64 { return s.file.left() }

func (s *sparse) Read(b []byte) (n int, err error) {
	isLast := int64(len(b)) >= s.size-s.at
	b = b[:min(int64(len(b)), s.size-s.at)]
	for n < len(b) && err == nil {
		for len(s.parts) > 0 && s.parts[0].end() <= s.at {
			s.parts = s.parts[1:]
		}
		rest := b[n:]
		if len(s.parts) > 0 && s.parts[0].offset <= s.at {
			rest = rest[:min(int64(len(rest)), s.parts[0].end()-s.at)]
			var m int
			m, err = fill(s.file, rest)
			rest = rest[:m]
		} else {
			if len(s.parts) > 0 {
				rest = rest[:min(int64(len(rest)), s.parts[0].offset-s.at)]
			}
			clear(rest)
		}
		n += len(rest)
		s.at += int64(len(rest))
	}
	switch {
	case err == io.EOF:
		err = errMissing
	case err != nil:
	case s.at == s.size && s.left() > 0:
		err = errUnreferenced
	case isLast:
		err = io.EOF
	}
	return n, err
}
