package token

import (
	"fmt"
	"slices"
	"sort"
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
	s := pos.Filename
	if pos.IsValid() {
		if s != "" {
			s += ":"
		}
		s += strconv.Itoa(pos.Line)
		if pos.Column != 0 {
			s += ":" + strconv.Itoa(pos.Column)
		}
	}
	if s == "" {
		return "-"
	}
	return s
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

	mutex sync.Mutex // for what follows
	lines []int      // where each line begins
	infos []lineInfo
}

// lineInfo is what a `//line` comment says of the text from Offset on.
type lineInfo struct {
	Offset       int
	Filename     string
	Line, Column int
}

func (f *File) String() string {
	return fmt.Sprintf("%s(%d-%d)", f.name, f.base, f.End())
}

// Name returns the file's name.
func (f *File) Name() string { return f.name }

// Base returns the place of the first byte.
func (f *File) Base() int { return f.base }

// Size returns how many bytes there are.
func (f *File) Size() int { return f.size }

// End returns the place behind the last byte.
func (f *File) End() Pos { return Pos(f.base + f.size) }

// LineCount returns how many lines are known.
func (f *File) LineCount() int {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return len(f.lines)
}

// AddLine notes that a line begins there, if that is behind the lines known.
func (f *File) AddLine(offset int) {
	f.mutex.Lock()
	if n := len(f.lines); offset < f.size && (n == 0 || f.lines[n-1] < offset) {
		f.lines = append(f.lines, offset)
	}
	f.mutex.Unlock()
}

func belowOne(line int) {
	if line < 1 {
		panic(fmt.Sprintf("invalid line number %d (should be >= 1)", line))
	}
}

// MergeLine joins a line and the next.
func (f *File) MergeLine(line int) {
	belowOne(line)
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if line >= len(f.lines) {
		panic(fmt.Sprintf("invalid line number %d (should be < %d)", line, len(f.lines)))
	}
	copy(f.lines[line:], f.lines[line+1:])
	f.lines = f.lines[:len(f.lines)-1]
}

// Lines returns where the lines begin; it is not to be changed.
func (f *File) Lines() []int {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.lines
}

// SetLines says where the lines begin, if lines is sorted and within the file.
func (f *File) SetLines(lines []int) bool {
	for i, offset := range lines {
		if offset >= f.size || i > 0 && offset <= lines[i-1] {
			return false
		}
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.lines = lines
	return true
}

// SetLinesForContent finds the lines of content.
func (f *File) SetLinesForContent(content []byte) {
	var lines []int
	begins := true
	for i, c := range content {
		if begins {
			lines = append(lines, i)
		}
		begins = c == '\n'
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.lines = lines
}

// LineStart returns the place where a line begins.
func (f *File) LineStart(line int) Pos {
	belowOne(line)
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if line > len(f.lines) {
		panic(fmt.Sprintf("invalid line number %d (should be < %d)", line, len(f.lines)))
	}
	return Pos(f.base + f.lines[line-1])
}

// AddLineInfo is AddLineColumnInfo with column 1.
func (f *File) AddLineInfo(offset int, filename string, line int) {
	f.AddLineColumnInfo(offset, filename, line, 1)
}

// AddLineColumnInfo says what the text from offset on shall be called.
func (f *File) AddLineColumnInfo(offset int, filename string, line, column int) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if n := len(f.infos); offset < f.size && (n == 0 || f.infos[n-1].Offset < offset) {
		f.infos = append(f.infos, lineInfo{offset, filename, line, column})
	}
}

func (f *File) within(offset int) int { return max(0, min(offset, f.size)) }

// Pos returns the place of an offset.
func (f *File) Pos(offset int) Pos { return Pos(f.base + f.within(offset)) }

// Offset returns the offset of a place.
func (f *File) Offset(p Pos) int { return f.within(int(p) - f.base) }

// Line returns the line of a place, as `//line` comments have it.
func (f *File) Line(p Pos) int { return f.Position(p).Line }

// lineOf returns the index of the last of lines that begins at offset or before, or -1.
func lineOf(lines []int, offset int) int {
	low, high := 0, len(lines)
	for low < high {
		mid := int(uint(low+high) / 2)
		if lines[mid] <= offset {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low - 1
}

func (f *File) at(p Pos, adjusted bool) Position {
	offset := f.Offset(p)
	pos := Position{Filename: f.name, Offset: offset}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if i := lineOf(f.lines, offset); i >= 0 {
		pos.Line, pos.Column = i+1, offset-f.lines[i]+1
	}
	if !adjusted || len(f.infos) == 0 {
		return pos
	}
	n := sort.Search(len(f.infos), func(i int) bool { return f.infos[i].Offset > offset })
	if n == 0 {
		return pos
	}
	info := &f.infos[n-1]
	pos.Filename = info.Filename
	if i := lineOf(f.lines, info.Offset); i >= 0 {
		below := pos.Line - (i + 1)
		pos.Line = info.Line + below
		if info.Column == 0 {
			pos.Column = 0
		} else if below == 0 {
			pos.Column = info.Column + offset - info.Offset
		}
	}
	return pos
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
	if base < 0 {
		base = s.base
	}
	if base < s.base {
		panic(fmt.Sprintf("invalid base %d (should be >= %d)", base, s.base))
	}
	if size < 0 {
		panic(fmt.Sprintf("invalid size %d (should be >= 0)", size))
	}
	next := base + size + 1 // the end is a place too
	if next < 0 {
		panic("token.Pos offset overflow (> 2G of source code in file set)")
	}
	f := &File{name: filename, base: base, size: size, lines: []int{0}}
	s.base = next
	s.add(f)
	s.last.Store(f)
	return f
}

// locate returns the index of the file with a place of start..end, or where one would go.
func (s *FileSet) locate(start, end int) (int, bool) {
	i := sort.Search(len(s.files), func(i int) bool {
		return s.files[i].base+s.files[i].size >= start
	})
	return i, i < len(s.files) && s.files[i].base <= end
}

func (s *FileSet) add(f *File) {
	i, found := s.locate(f.base, f.base+f.size)
	if !found {
		s.files = slices.Insert(s.files, i, f)
	} else if old := s.files[i]; old != f {
		panic(fmt.Sprintf("file %s (%d-%d) overlaps with file %s (%d-%d)",
			old.name, old.base, old.End(), f.name, f.base, f.End()))
	}
}

// AddExistingFiles adds files of other sets, whose places must be free.
func (s *FileSet) AddExistingFiles(files ...*File) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, f := range files {
		s.add(f)
		s.base = max(s.base, f.base+f.size+1)
	}
}

// RemoveFile takes a file out, if it is in.
func (s *FileSet) RemoveFile(file *File) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.last.CompareAndSwap(file, nil)
	i, found := s.locate(file.base, file.base+file.size)
	if found && s.files[i] == file {
		s.files = slices.Delete(s.files, i, i+1)
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

// File returns the file that p is in, or nil.
func (s *FileSet) File(p Pos) *File {
	if p == NoPos {
		return nil
	}
	if f := s.last.Load(); f != nil && f.base <= int(p) && int(p) <= f.base+f.size {
		return f
	}
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	if i, found := s.locate(int(p), int(p)); found {
		s.last.Store(s.files[i])
		return s.files[i]
	}
	return nil
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
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.base = from.Base
	for _, f := range from.Files {
		s.add(&File{name: f.Name, base: f.Base, size: f.Size, lines: f.Lines, infos: f.Infos})
	}
	s.last.Store(nil)
	return nil
}

// Write has encode write a value that holds the whole set.
func (s *FileSet) Write(encode func(any) error) error {
	var to serializedFileSet
	s.mutex.RLock()
	to.Base = s.base
	for _, f := range s.files {
		f.mutex.Lock()
		to.Files = append(to.Files, serializedFile{
			f.name, f.base, f.size, slices.Clone(f.lines), slices.Clone(f.infos),
		})
		f.mutex.Unlock()
	}
	s.mutex.RUnlock()
	return encode(to)
}
