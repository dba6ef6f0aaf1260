package token

// A place is a number, Pos: each file of a FileSet has a stretch of them, one for each byte and
// one for the end. A File knows where its lines begin, in order, and what `//line` comments say
// from where on, in order too; so a Pos becomes a Position by a search for the last of each that
// is not behind it.

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
)

// Position is a place in a file as people write it.
type Position struct {
	Filename string
	Offset   int // in bytes, from 0
	Line     int // from 1
	Column   int // in bytes, from 1
}

// IsValid says whether there is a line.
func (pos *Position) IsValid() bool { return pos.Line > 0 }

func (pos Position) String() string {
	text := []byte(pos.Filename)
	if pos.IsValid() {
		for i, n := range [...]int{pos.Line, pos.Column} {
			if i > 0 && n == 0 {
				break // no column
			}
			if len(text) > 0 {
				text = append(text, ':')
			}
			text = strconv.AppendInt(text, int64(n), 10)
		}
	}
	if len(text) == 0 {
		return "-"
	}
	return string(text)
}

// Pos is a place in a FileSet: the base of a file, and an offset.
type Pos int

// NoPos is no place.
const NoPos Pos = 0

// IsValid says whether p is a place.
func (p Pos) IsValid() bool { return p != NoPos }

// File is a file of a FileSet; it owns the places from its base to base + size.
type File struct {
	name string
	base int
	size int

	mutex    sync.Mutex // for what follows
	lines    []int      // where each line begins
	lastLine int        // where the last does, or -1
	infos    []lineInfo
	lastInfo int // where the last begins, or -1
}

// lineInfo is what a `//line` comment says of the text from Offset on.
type lineInfo struct {
	Offset       int
	Filename     string
	Line, Column int
}

// newFile makes a file of what it knows; it takes over the slices.
func newFile(name string, base, size int, lines []int, infos []lineInfo) *File {
	f := &File{name: name, base: base, size: size, infos: infos, lastInfo: -1}
	if n := len(infos); n > 0 {
		f.lastInfo = infos[n-1].Offset
	}
	f.setLines(lines)
	return f
}

func (f *File) setLines(lines []int) {
	f.lines, f.lastLine = lines, -1
	if n := len(lines); n > 0 {
		f.lastLine = lines[n-1]
	}
}

// End returns the place behind the last byte.
func (f *File) End() Pos { return Pos(f.base + f.size) }

// Base returns the place of the first byte.
func (f *File) Base() int { return f.base }

// Size returns how many bytes there are.
func (f *File) Size() int { return f.size }

// Name returns the file's name.
func (f *File) Name() string { return f.name }

func (f *File) String() string {
	return fmt.Sprintf("%s(%d-%d)", f.name, f.base, f.End())
}

// LineCount returns how many lines are known.
func (f *File) LineCount() int { return len(f.Lines()) }

// edit has change make other lines of those that are known.
func (f *File) edit(change func([]int) []int) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.setLines(change(f.lines))
}

// AddLine notes that a line begins there, if that is behind the lines known.
func (f *File) AddLine(offset int) {
	f.mutex.Lock()
	if f.lastLine < offset && offset < f.size {
		f.lines = append(f.lines, offset)
		f.lastLine = offset
	}
	f.mutex.Unlock()
}

// Lines returns where the lines begin; it is not to be changed.
func (f *File) Lines() (begin []int) {
	f.mutex.Lock()
	begin = f.lines
	f.mutex.Unlock()
	return begin
}

// checkLine panics if a line is none of the first most of a file that has count.
func checkLine(line, most, count int) {
	if line < 1 {
		panic(fmt.Sprintf("invalid line number %d (should be >= 1)", line))
	}
	if line > most {
		panic(fmt.Sprintf("invalid line number %d (should be < %d)", line, count))
	}
}

// MergeLine joins a line and the next.
func (f *File) MergeLine(line int) {
	f.edit(func(lines []int) []int {
		checkLine(line, len(lines)-1, len(lines))
		return append(lines[:line], lines[line+1:]...)
	})
}

// SetLines says where the lines begin, if lines is sorted and within the file.
func (f *File) SetLines(lines []int) bool {
	before := -1 << 63
	for _, offset := range lines {
		if offset <= before || offset >= f.size {
			return false
		}
		before = offset
	}
	f.edit(func([]int) []int { return lines })
	return true
}

// SetLinesForContent finds the lines of content.
func (f *File) SetLinesForContent(content []byte) {
	f.edit(func([]int) (lines []int) {
		for begin := 0; begin < len(content); {
			lines = append(lines, begin)
			length := bytes.IndexByte(content[begin:], '\n')
			if length < 0 {
				break
			}
			begin += length + 1
		}
		return lines
	})
}

// LineStart returns the place where a line begins.
func (f *File) LineStart(line int) Pos {
	lines := f.Lines()
	checkLine(line, len(lines), len(lines))
	return Pos(f.base + lines[line-1])
}

// AddLineColumnInfo says what the text from offset on shall be called.
func (f *File) AddLineColumnInfo(offset int, filename string, line, column int) {
	info := lineInfo{offset, filename, line, column}
	f.mutex.Lock()
	if f.lastInfo < offset && offset < f.size {
		f.lastInfo = offset
		f.infos = append(f.infos, info)
	}
	f.mutex.Unlock()
}

// AddLineInfo is AddLineColumnInfo with column 1.
func (f *File) AddLineInfo(offset int, filename string, line int) {
	f.AddLineColumnInfo(offset, filename, line, 1)
}

func (f *File) within(offset int) int { return max(0, min(offset, f.size)) }

// Pos returns the place of an offset.
func (f *File) Pos(offset int) Pos { return Pos(f.base + f.within(offset)) }

// Offset returns the offset of a place.
func (f *File) Offset(p Pos) int { return f.within(int(p) - f.base) }

// Line returns the line of a place, as `//line` comments have it.
func (f *File) Line(p Pos) int { return f.Position(p).Line }

// lineAt returns which line an offset is in, from 1, or 0 if it is before all. It adds up
// ever smaller steps, as long as the line that they lead to begins early enough.
func lineAt(lines []int, offset int) int {
	line := 0
	for step := 1 << bits.Len(uint(len(lines))) >> 1; step > 0; step >>= 1 {
		if there := line + step; there <= len(lines) && lines[there-1] <= offset {
			line = there
		}
	}
	return line
}

func (f *File) at(p Pos, adjusted bool) Position {
	pos := Position{Filename: f.name, Offset: f.Offset(p)}
	f.mutex.Lock()
	pos.Line = lineAt(f.lines, pos.Offset)
	if pos.Line > 0 {
		pos.Column = 1 + pos.Offset - f.lines[pos.Line-1]
	}
	if adjusted && len(f.infos) > 0 {
		f.adjust(&pos)
	}
	f.mutex.Unlock()
	return pos
}

// adjust makes of a position what the last `//line` comment before it says.
func (f *File) adjust(pos *Position) {
	i, at := slices.BinarySearchFunc(f.infos, pos.Offset, func(info lineInfo, offset int) int {
		return info.Offset - offset
	})
	if !at {
		i--
	}
	if i < 0 {
		return
	}
	info := &f.infos[i]
	pos.Filename = info.Filename
	begins := lineAt(f.lines, info.Offset)
	switch {
	case begins == 0:
		return
	case info.Column == 0:
		pos.Column = 0 // unknown
	case begins == pos.Line:
		pos.Column = info.Column + pos.Offset - info.Offset
	}
	pos.Line += info.Line - begins
}

// PositionFor returns where p is; adjusted, as `//line` comments have it.
func (f *File) PositionFor(p Pos, adjusted bool) Position {
	if p == NoPos {
		return Position{}
	}
	return f.at(p, adjusted)
}

// Position is PositionFor, adjusted.
func (f *File) Position(p Pos) Position { return f.PositionFor(p, true) }

// FileSet gives each of its files a stretch of places. Goroutines may share it.
type FileSet struct {
	mutex sync.RWMutex
	base  int
	files []*File // in the order of their bases
	last  atomic.Pointer[File]
}

// NewFileSet returns one without files.
func NewFileSet() *FileSet { return &FileSet{base: 1} }

// Base returns the least base that the next file may have.
func (s *FileSet) Base() int {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	return s.base
}

// AddFile adds a file; if base is negative, at Base().
func (s *FileSet) AddFile(filename string, base, size int) *File {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	switch {
	case base < 0:
		base = s.base
	case base < s.base:
		panic(fmt.Sprintf("invalid base %d (should be >= %d)", base, s.base))
	}
	switch {
	case size < 0:
		panic(fmt.Sprintf("invalid size %d (should be >= 0)", size))
	case base+size+1 < 0:
		panic("token.Pos offset overflow (> 2G of source code in file set)")
	}
	f := newFile(filename, base, size, []int{0}, nil)
	s.last.Store(s.add(f))
	return f
}

// locate returns the index of the file with a place of start..end, or where one would go.
func (s *FileSet) locate(start, end int) (int, bool) {
	return slices.BinarySearchFunc(s.files, start, func(f *File, start int) int {
		if int(f.End()) < start {
			return -1
		}
		return max(0, min(1, f.base-end))
	})
}

// add puts a file in its place, which must be free unless the file is there already.
func (s *FileSet) add(f *File) *File {
	i, taken := s.locate(f.base, int(f.End()))
	if taken && s.files[i] != f {
		other := s.files[i]
		panic(fmt.Sprintf("file %s (%d-%d) overlaps with file %s (%d-%d)",
			other.name, other.base, other.End(), f.name, f.base, f.End()))
	}
	if !taken {
		s.files = slices.Insert(s.files, i, f)
	}
	behind := int(f.End()) + 1 // the end is a place too
	s.base = max(s.base, behind)
	return f
}

// RemoveFile takes a file out, if it is in.
func (s *FileSet) RemoveFile(file *File) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.last.CompareAndSwap(file, nil)
	s.files = slices.DeleteFunc(s.files, func(f *File) bool { return f == file })
}

// AddExistingFiles adds files of other sets, whose places must be free.
func (s *FileSet) AddExistingFiles(files ...*File) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, f := range files {
		s.add(f)
	}
}

// Iterate calls yield with each file in turn, until it returns false. It may change the set.
func (s *FileSet) Iterate(yield func(*File) bool) {
	from := 0
	for {
		s.mutex.RLock()
		i, _ := s.locate(from, from)
		var f *File
		if i < len(s.files) {
			f = s.files[i]
		}
		s.mutex.RUnlock()
		if f == nil || !yield(f) {
			return
		}
		from = f.base + f.size + 1
	}
}

func (f *File) has(p Pos) bool { return f.base <= int(p) && p <= f.End() }

// File returns the file that p is in, or nil. No place is in none, even if the set is nil.
func (s *FileSet) File(p Pos) *File {
	if p == NoPos {
		return nil
	}
	// It is often the one that the last call returned.
	if f := s.last.Load(); f != nil && f.has(p) {
		return f
	}
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	i, _ := s.locate(int(p), int(p))
	if i == len(s.files) || !s.files[i].has(p) {
		return nil
	}
	s.last.Store(s.files[i])
	return s.files[i]
}

// PositionFor returns where p is; adjusted, as `//line` comments have it.
func (s *FileSet) PositionFor(p Pos, adjusted bool) Position {
	if f := s.File(p); f != nil {
		return f.at(p, adjusted)
	}
	return Position{}
}

// Position is PositionFor, adjusted.
func (s *FileSet) Position(p Pos) Position { return s.PositionFor(p, true) }

type serializedFile struct {
	Name  string
	Base  int
	Size  int
	Lines []int
	Infos []lineInfo
}

type serializedFileSet struct {
	Base  int
	Files []serializedFile
}

// Read has decode fill in a value as Write encodes it, and takes the set from it.
func (s *FileSet) Read(decode func(any) error) error {
	var from serializedFileSet
	if err := decode(&from); err != nil {
		return err
	}
	files := make([]*File, len(from.Files))
	for i, f := range from.Files {
		files[i] = newFile(f.Name, f.Base, f.Size, f.Lines, f.Infos)
	}
	s.AddExistingFiles(files...)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.last.Store(nil)
	s.base = from.Base
	return nil
}

// serialized returns what there is to write of a file.
func (f *File) serialized() serializedFile {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	lines, infos := slices.Clone(f.lines), slices.Clone(f.infos)
	return serializedFile{Name: f.name, Base: f.base, Size: f.size, Lines: lines, Infos: infos}
}

// Write has encode write a value that holds the whole set.
func (s *FileSet) Write(encode func(any) error) error {
	s.mutex.RLock()
	set := serializedFileSet{Base: s.base}
	for _, f := range s.files {
		set.Files = append(set.Files, f.serialized())
	}
	s.mutex.RUnlock()
	return encode(set)
}
