// run

// A key-value store with a write-ahead log, snapshots by gob, memory-mapped reading, and recovery.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

type Value struct {
	Data    []byte
	Tags    map[string]string
	Expires time.Time
	Any     any
}

type op struct {
	Kind byte
	Key  string
	Val  *Value
}

type Store struct {
	mu   sync.RWMutex
	dir  string
	data map[string]Value
	log  *os.File
	n    int
}

type snapshot struct {
	Version int
	Made    time.Time
	Data    map[string]Value
}

var errTorn = errors.New("torn record")

func Open(dir string) (*Store, []string, error) {
	s := &Store{dir: dir, data: map[string]Value{}}
	var notes []string
	if f, err := os.Open(filepath.Join(dir, "snapshot")); err == nil {
		var snap snapshot
		err := gob.NewDecoder(bufio.NewReader(f)).Decode(&snap)
		f.Close()
		if err != nil {
			return nil, nil, fmt.Errorf("snapshot: %w", err)
		}
		s.data = snap.Data
		notes = append(notes, fmt.Sprint("snapshot of ", len(snap.Data)))
	}
	f, err := os.OpenFile(filepath.Join(dir, "log"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, err
	}
	n, good, err := s.replay(f)
	if errors.Is(err, errTorn) {
		notes = append(notes, err.Error())
		err = f.Truncate(good)
	}
	if err != nil {
		return nil, notes, err
	}
	f.Seek(good, io.SeekStart)
	s.log = f
	return s, append(notes, fmt.Sprint("replayed ", n)), nil
}

// replay reads the log by a mapping of the file.
func (s *Store) replay(f *os.File) (n int, good int64, err error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return 0, 0, err
	}
	m, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return 0, 0, err
	}
	defer syscall.Munmap(m)
	for b := m; len(b) > 0; n++ {
		if len(b) < 8 {
			return n, good, fmt.Errorf("%w at %d", errTorn, good)
		}
		size, sum := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
		if uint64(len(b)) < 8+uint64(size) || crc32.ChecksumIEEE(b[8:8+size]) != sum {
			return n, good, fmt.Errorf("%w at %d", errTorn, good)
		}
		var o op
		if err := gob.NewDecoder(strings.NewReader(string(b[8 : 8+size]))).Decode(&o); err != nil {
			return n, good, err
		}
		s.apply(o)
		b = b[8+size:]
		good += 8 + int64(size)
	}
	return n, good, nil
}

func (s *Store) apply(o op) {
	if o.Kind == 'd' {
		delete(s.data, o.Key)
	} else {
		s.data[o.Key] = *o.Val
	}
}

func (s *Store) write(o op) error {
	var buf strings.Builder
	if err := gob.NewEncoder(&buf).Encode(o); err != nil {
		return err
	}
	head := binary.LittleEndian.AppendUint32(nil, uint32(buf.Len()))
	head = binary.LittleEndian.AppendUint32(head, crc32.ChecksumIEEE([]byte(buf.String())))
	if _, err := s.log.Write(append(head, buf.String()...)); err != nil {
		return err
	}
	s.n++
	s.apply(o)
	return nil
}

func (s *Store) Set(key string, v Value) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(op{'s', key, &v})
}

func (s *Store) Delete(key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(op{Kind: 'd', Key: key})
}

func (s *Store) Snapshot() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, err := os.CreateTemp(s.dir, "snap*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	w := bufio.NewWriter(f)
	err = gob.NewEncoder(w).Encode(snapshot{1, time.Unix(5, 0).UTC(), s.data})
	if err := errors.Join(err, w.Flush(), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), filepath.Join(s.dir, "snapshot")); err != nil {
		return err
	}
	s.log.Seek(0, io.SeekStart)
	return s.log.Truncate(0)
}

func (s *Store) show() string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []string
	for _, k := range slices.Sorted(maps.Keys(s.data)) {
		v := s.data[k]
		out = append(out, fmt.Sprintf("%s=%s%v%v", k, v.Data, v.Tags, v.Any))
	}
	return strings.Join(out, " ")
}

func main() {
	gob.Register([]any{})
	gob.Register(time.Duration(0))
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	s, notes, err := Open(dir)
	fmt.Println(notes, err)
	fmt.Println(s.Set("a", Value{Data: []byte("one")}), s.Set("b",
		Value{Tags: map[string]string{"k": "v"}, Any: time.Minute}))
	fmt.Println(s.Set("c", Value{Any: []any{1, "x", 2.5}}), s.Delete("a"), s.Set("bad",
		Value{Any: struct{ X int }{1}}))
	fmt.Println(s.show())
	s.log.Close()

	s, notes, err = Open(dir)
	fmt.Println(notes, err, s.show())
	fmt.Println(s.Snapshot())
	s.Set("d", Value{Data: []byte("after")})
	info, _ := s.log.Stat()
	s.Set("e", Value{Data: []byte("torn")})
	s.log.Truncate(info.Size() + 13)
	s.log.Close()
	s, notes, err = Open(dir)
	fmt.Println(notes, err, s.show())
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 25 {
				key := fmt.Sprintf("k%02d", (i*25+j)%40)
				if err := s.Set(key, Value{Data: []byte{byte('a' + i)}, Expires: time.Unix(int64(j),
					0)}); err != nil {
					fmt.Println(err)
				}
				if j == 12 && i == 3 {
					if err := s.Snapshot(); err != nil {
						fmt.Println(err)
					}
				}
			}
		})
	}
	wg.Wait()
	want := s.show()
	s.log.Close()
	s, notes, err = Open(dir)
	fmt.Println(len(notes), err, s.show() == want, len(s.data))
	s.log.Close()
	os.WriteFile(filepath.Join(dir, "snapshot"), []byte("nonsense"), 0o644)
	_, _, err = Open(dir)
	fmt.Println(err)
	_, _, err = Open(filepath.Join(dir, "none"))
	fmt.Println(errors.Is(err, os.ErrNotExist))
}
