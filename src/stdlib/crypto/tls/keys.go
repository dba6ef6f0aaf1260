// Keys: how secrets become others, in TLS 1.3 and before, and the transcripts that bind them to
// what was said.

package tls

import (
	"crypto"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"errors"
	"fmt"
	"hash"
	"slices"
)

// The keys of TLS 1.3: RFC 8446, section 7.

func expandLabel(h crypto.Hash, secret []byte, label string, context []byte, n int) []byte {
	w := &builder{}
	w.u16(uint16(n))
	w.sized(1, append([]byte("tls13 "), label...))
	w.sized(1, context)
	key, err := hkdf.Expand(h.New, secret, string(w.b), n)
	if err != nil {
		panic(err)
	}
	return key
}

func extract(h crypto.Hash, secret, salt []byte) []byte {
	if secret == nil {
		secret = make([]byte, h.Size())
	}
	key, err := hkdf.Extract(h.New, secret, salt)
	if err != nil {
		panic(err)
	}
	return key
}

// A schedule leads from one secret of TLS 1.3 to the next.
type schedule struct {
	hash   crypto.Hash
	secret []byte
}

// earlySchedule begins with a key that the two shared before, nil if there is none.
func earlySchedule(h crypto.Hash, psk []byte) schedule { return schedule{h, extract(h, psk, nil)} }

// next mixes in what the two have agreed on, nil if that is nothing.
func (s schedule) next(shared []byte) schedule {
	return schedule{s.hash, extract(s.hash, shared, s.derive("derived", nothing(s.hash)))}
}

func nothing(h crypto.Hash) []byte { return h.New().Sum(nil) }

// derive is a secret for a purpose, bound to the messages with that sum.
func (s schedule) derive(label string, sum []byte) []byte {
	return expandLabel(s.hash, s.secret, label, sum, s.hash.Size())
}

// firstData is the secret of what is sent early, behind that hello.
func (s schedule) firstData(hello []byte) []byte {
	sum := s.hash.New()
	sum.Write(hello)
	return s.derive("c e traffic", sum.Sum(nil))
}

// finishedSum is what a Finished, or a binder, says about messages with that sum.
func finishedSum(h crypto.Hash, secret, sum []byte) []byte {
	m := hmac.New(h.New, expandLabel(h, secret, "finished", nil, h.Size()))
	m.Write(sum)
	return m.Sum(nil)
}

// exporter makes keys for others of a secret of TLS 1.3.
func exporter(h crypto.Hash, secret []byte) func(string, []byte, int) ([]byte, error) {
	return func(label string, extra []byte, n int) ([]byte, error) {
		base := expandLabel(h, secret, label, nothing(h), h.Size())
		sum := h.New()
		sum.Write(extra)
		return expandLabel(h, base, "exporter", sum.Sum(nil), n), nil
	}
}

// The keys before TLS 1.3: RFC 5246, sections 5, 6.3 and 8.1.

const (
	masterSize   = 48
	finishedSize = 12
)

// hmacChain fills out with what a secret and a seed make.
func hmacChain(h func() hash.Hash, out, secret, seed []byte) {
	m := hmac.New(h, secret)
	sum := func(parts ...[]byte) []byte {
		m.Reset()
		for _, p := range parts {
			m.Write(p)
		}
		return m.Sum(nil)
	}
	for a := sum(seed); len(out) > 0; a = sum(a) {
		out = out[copy(out, sum(a, seed)):]
	}
}

// prf is the pseudo-random function of that version, which since 1.2 depends on the suite.
func prf(
	version uint16, h crypto.Hash, secret []byte, label string, n int, seeds ...[]byte,
) []byte {
	seed := slices.Concat(append([][]byte{[]byte(label)}, seeds...)...)
	out := make([]byte, n)
	if version >= VersionTLS12 {
		hmacChain(h.New, out, secret, seed)
		return out
	}
	// Each of two sums gets a half; they share the middle byte if there is one.
	half := (len(secret) + 1) / 2
	hmacChain(md5.New, out, secret[:half], seed)
	other := make([]byte, n)
	hmacChain(sha1.New, other, secret[len(secret)-half:], seed)
	for i, b := range other {
		out[i] ^= b
	}
	return out
}

// exporter12 makes keys for others: RFC 5705.
func exporter12(
	version uint16, h crypto.Hash, master, client, server []byte,
) func(string, []byte, int) ([]byte, error) {
	return func(label string, extra []byte, n int) ([]byte, error) {
		switch label {
		case "master secret", "key expansion", "client finished", "server finished":
			return nil, fmt.Errorf("crypto/tls: reserved ExportKeyingMaterial label: %s", label)
		}
		w := &builder{}
		if extra != nil {
			if len(extra) >= 1<<16 {
				return nil, errors.New("crypto/tls: ExportKeyingMaterial context too long")
			}
			w.sized(2, extra)
		}
		return prf(version, h, master, label, n, client, server, w.b), nil
	}
}

func noExport(why string) func(string, []byte, int) ([]byte, error) {
	err := errors.New("crypto/tls: ExportKeyingMaterial is unavailable when " + why)
	return func(string, []byte, int) ([]byte, error) { return nil, err }
}

// A transcript is the messages of a handshake so far, of which it knows the sum. The messages
// themselves are kept as long as one may have to be signed.
type transcript struct {
	sums []hash.Hash // two before TLS 1.2: MD5 and SHA-1
	text []byte
	keep bool
}

func newTranscript(version uint16, s *suite, keep bool) *transcript {
	if version < VersionTLS12 {
		return &transcript{sums: []hash.Hash{md5.New(), sha1.New()}}
	}
	return &transcript{sums: []hash.Hash{s.hash.New()}, keep: keep}
}

func (t *transcript) add(raw []byte) {
	for _, h := range t.sums {
		h.Write(raw)
	}
	if t.keep {
		t.text = append(t.text, raw...)
	}
}

// sumWith is the sum that there would be after other messages, in TLS 1.3.
func (t *transcript) sumWith(more ...[]byte) []byte {
	h, err := t.sums[0].(hash.Cloner).Clone()
	if err != nil {
		panic(err)
	}
	for _, raw := range more {
		h.Write(raw)
	}
	return h.Sum(nil)
}

func (t *transcript) sum() (all []byte) {
	for _, h := range t.sums {
		all = h.Sum(all)
	}
	return all
}

// restart puts the sum of the first message in its place, as a HelloRetryRequest has it, and gives
// what stands there then.
func (t *transcript) restart() []byte {
	sum := t.sum()
	t.sums[0].Reset()
	raw := append([]byte{kindMessageHash, 0, 0, byte(len(sum))}, sum...)
	t.add(raw)
	return raw
}

// dropText keeps no messages any more.
func (t *transcript) dropText() { t.keep, t.text = false, nil }
