// Package cryptotest: tests in which random bytes are the same each time.
package cryptotest

import (
	"crypto/rand"
	"encoding/binary"
	ownrand "internal/rand"
	"internal/testdeps"
	mathrand "math/rand/v2"
	"sync"
	"testing"
)

// A seeded reader is one that goroutines may share.
type seeded struct {
	mutex  sync.Mutex
	source *mathrand.ChaCha8
}

func (s *seeded) Read(p []byte) (n int, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.source.Read(p)
}

// SetGlobalRandom has all random bytes of crypto/rand, and those with which the packages below
// crypto make keys, come from that seed until the test ends. The test cannot be parallel. It can be
// called again.
func SetGlobalRandom(t *testing.T, seed uint64) {
	switch {
	case t == nil:
		panic("cryptotest: SetGlobalRandom called with a nil *testing.T")
	case !testing.Testing():
		panic("cryptotest: SetGlobalRandom used in a non-test binary")
	}
	testdeps.ForbidParallel(t)
	old := rand.Reader
	t.Cleanup(func() { ownrand.Testing, rand.Reader = nil, old })
	key := [32]byte(binary.LittleEndian.AppendUint64(make([]byte, 0, 32), seed)[:32])
	ownrand.Testing = &seeded{source: mathrand.NewChaCha8(key)}
	rand.Reader = ownrand.Testing
}
