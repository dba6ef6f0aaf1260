package tar

// Sparse files: the archive has only fragments of them, and a map of these, in one of four forms.
// They are read as stretches of data and of zeros by turns.

import (
	"bytes"
	"io"
	"slices"
	"strings"
)

// A fragment is a part of a sparse file that the archive has.
type fragment struct{ offset, length int64 }

// A stretch goes on from where the one before ends.
type stretch struct {
	end    int64
	isData bool
}

// stretches makes stretches of fragments. These must lie in a file of that size one behind the other.
func stretches(list []fragment, size int64) (all []stretch, ok bool) {
	if size < 0 {
		return nil, false
	}
	at := int64(0)
	for _, f := range list {
		if f.offset < at || f.length < 0 || f.length > size-f.offset {
			return nil, false
		}
		at = f.offset + f.length
		all = append(all, stretch{f.offset, false}, stretch{at, true})
	}
	return append(all, stretch{size, false}), true
}

// sparse is a file with holes, which are zeros.
type sparse struct {
	file  data
	ahead []stretch // the last one is never passed
	at    int64
}

func (s *sparse) left() int64 { return s.file.left() }

func (s *sparse) Read(b []byte) (n int, err error) {
	size := s.ahead[len(s.ahead)-1].end
	isLast := int64(len(b)) >= size-s.at
	b = b[:min(int64(len(b)), size-s.at)]
	for n < len(b) && err == nil {
		now := s.ahead[0]
		part := b[n:][:min(int64(len(b)-n), now.end-s.at)]
		switch {
		case len(part) == 0:
			s.ahead = s.ahead[1:]
		case now.isData:
			var m int
			m, err = io.ReadFull(s.file, part)
			part = part[:m]
		default:
			clear(part)
		}
		n += len(part)
		s.at += int64(len(part))
	}
	if err != nil {
		if s.left() == 0 {
			err = errMissing
		}
	} else if s.at == size && s.left() > 0 {
		err = errUnreferenced
	} else if isLast {
		err = io.EOF
	}
	return n, err
}

// sparse sees whether parts of the file are not in the archive, and gives them back.
func (tr *Reader) sparse(h *Header) error {
	find := tr.paxMap
	if h.Typeflag == TypeGNUSparse {
		find = tr.oldMap
	}
	list, err := find(h)
	if list == nil || err != nil {
		return err
	}
	ahead, ok := stretches(list, h.Size)
	if !ok || hasNoData(h.Typeflag) {
		return ErrHeader
	}
	tr.file = &sparse{file: tr.file, ahead: ahead}
	return nil
}

// oldMap is the map of a header of GNU and the blocks behind it: pairs of numbers, and behind them
// whether there are more blocks.
func (tr *Reader) oldMap(h *Header) ([]fragment, error) {
	const pair = 24
	b := &tr.block
	if b.format() != FormatGNU {
		return nil, ErrHeader
	}
	var p parser
	h.Size = p.number(b.of(gnuSize))
	list := []fragment{}
	part := b.of(gnuSparse)
	for total := len(part); p.err == nil; total += len(part) {
		if total >= maxSpecial {
			return nil, errSparseTooLong
		}
		more := len(part) / pair * pair
		for cell := range slices.Chunk(part[:more], pair) {
			if cell[0] == 0 {
				break
			}
			list = append(list, fragment{p.number(cell[:pair/2]), p.number(cell[pair/2:])})
		}
		if p.err == nil && part[more] == 0 {
			return list, nil
		}
		if p.err == nil {
			p.err = must(tr.r, b[:])
			part = b[:]
		}
	}
	return nil, p.err
}

// paxMap is the map that the records of PAX tell of; nil if it is no sparse file.
func (tr *Reader) paxMap(h *Header) ([]fragment, error) {
	of := func(key string) string { return h.PAXRecords[keySparse+key] }
	inData := false
	switch of("major") + "." + of("minor") {
	case "1.0":
		inData = true
	case "0.0", "0.1":
	case ".":
		if of("map") == "" {
			return nil, nil
		}
	default:
		return nil, nil
	}
	if name := of("name"); name != "" {
		h.Name = name
	}
	for _, key := range [...]string{"size", "realsize"} {
		if of(key) == "" {
			continue
		}
		size, err := decimal(of(key))
		if err != nil {
			return nil, err
		}
		h.Size = size
		break
	}
	if inData {
		return (&lines{r: tr.file}).fragments()
	}
	var numbers []string
	if of("map") != "" {
		numbers = strings.Split(of("map"), ",")
	}
	n, err := counted(of("numblocks"))
	if err != nil || int64(len(numbers)) != 2*n {
		return nil, ErrHeader
	}
	return pairs(n, func() (s string) {
		s, numbers = numbers[0], numbers[1:]
		return s
	})
}

// counted is a number of fragments.
func counted(s string) (int64, error) {
	n, err := decimal(s)
	if n < 0 || 2*n < n {
		err = ErrHeader
	}
	return n, err
}

// pairs are n fragments, of twice as many numbers.
func pairs(n int64, next func() string) ([]fragment, error) {
	list := make([]fragment, 0, min(n, maxSparse))
	for range n {
		offset, err := decimal(next())
		length, err2 := decimal(next())
		switch {
		case err != nil, err2 != nil:
			return nil, ErrHeader
		case len(list) >= maxSparse:
			return nil, errSparseTooLong
		}
		list = append(list, fragment{offset, length})
	}
	return list, nil
}

// lines are a map that stands before the data, as lines in whole blocks.
type lines struct {
	r     io.Reader
	text  []byte
	ends  int64 // of lines in text
	total int
}

// need reads until there are n lines.
func (l *lines) need(n int64) error {
	var b block
	for l.ends < n {
		l.total += blockSize
		if l.total > maxSpecial {
			return errSparseTooLong
		}
		if err := must(l.r, b[:]); err != nil {
			return err
		}
		l.ends += int64(bytes.Count(b[:], []byte("\n")))
		l.text = append(l.text, b[:]...)
	}
	return nil
}

// next takes a line that is there.
func (l *lines) next() string {
	end := bytes.IndexByte(l.text, '\n')
	line := string(l.text[:end])
	l.text = l.text[end+1:]
	l.ends--
	return line
}

// fragments reads the number of fragments, and then them.
func (l *lines) fragments() ([]fragment, error) {
	err := l.need(1)
	if err != nil {
		return nil, err
	}
	n, err := counted(l.next())
	if err == nil {
		err = l.need(2 * n)
	}
	if err != nil {
		return nil, err
	}
	return pairs(n, l.next)
}
