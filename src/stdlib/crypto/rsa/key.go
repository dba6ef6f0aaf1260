package rsa

import (
	"bytes"
	"errors"
	"internal/modular"
	"internal/rand"
	"io"
	"math/big"
)

// A number has the highest byte first.
type number []byte

func natural(n *big.Int) number { return n.Bytes() }

func (n number) big() *big.Int { return new(big.Int).SetBytes(n) }

// is says whether that is the number's value.
func (n number) is(value *big.Int) bool {
	return value != nil && value.Sign() >= 0 &&
		bytes.Equal(bytes.TrimLeft(n, "\x00"), value.Bytes())
}

// A key is a private key that has been checked. Keys with more than two primes have none here.
type key struct {
	n       number
	e       int
	d       number
	p, q    number
	dp, dq  number // d modulo p−1 and q−1
	inverse number // of q modulo p
}

// exponent is the public exponent of keys made here.
const exponent = 65537

var errModulus = errors.New("modulus must be > 1")
var errTooLarge = errors.New("input overflows the modulus")

// wrong says what is wrong with the form of the key's first numbers.
func (k *key) wrong() error {
	moduli := []number{k.n}
	if k.p != nil {
		moduli = append(moduli, k.p, k.q)
	}
	for _, n := range moduli {
		if len(n) == 0 || len(n) == 1 && n[0] == 1 {
			return errModulus
		}
	}
	d, n := k.d.big(), k.n.big()
	if d.Cmp(n) < 0 {
		return nil
	}
	// Which text it is depends on the words.
	if (d.BitLen()+63)/64 > (n.BitLen()+63)/64 {
		return errors.New("input overflows the modulus size")
	}
	return errTooLarge
}

// complete computes what is left of a key with primes.
func (k *key) complete() error {
	if err := k.wrong(); err != nil {
		return err
	}
	p, q, d := k.p.big(), k.q.big(), k.d.big()
	for _, prime := range []*big.Int{p, q} {
		if prime.Cmp(big.NewInt(2)) <= 0 {
			return errModulus
		}
	}
	less := func(n *big.Int) *big.Int { return new(big.Int).Sub(n, one) }
	k.dp = new(big.Int).Mod(d, less(p)).Bytes()
	k.dq = new(big.Int).Mod(d, less(q)).Bytes()
	if p.Bit(0) == 0 {
		return errors.New("crypto/rsa: p is even")
	}
	// Of what is no prime there may be no inverse; zero is none.
	k.inverse = new(big.Int).Exp(q, new(big.Int).Sub(p, big.NewInt(2)), p).Bytes()
	return nil
}

// check says what is wrong with a key.
func (k *key) check() error {
	if err := k.wrong(); err != nil {
		return err
	}
	n := k.n.big()
	if k.p != nil {
		if k.inverse.big().Cmp(k.p.big()) >= 0 {
			return errTooLarge
		}
	}
	if err := checkPublic(n, k.e); err != nil {
		return err
	}
	if k.p == nil {
		return nil
	}
	p, q, d := k.p.big(), k.q.big(), k.d.big()
	if p.Cmp(n) >= 0 || q.Cmp(n) >= 0 {
		return errors.New("crypto/rsa: invalid prime")
	}
	r := new(big.Int)
	if r.Mul(p, q).Mod(r, n).Sign() != 0 {
		return errors.New("crypto/rsa: p * q != n")
	}
	e := big.NewInt(int64(k.e))
	for _, half := range []struct {
		prime    *big.Int
		exponent number
	}{{p, k.dp}, {q, k.dq}} {
		less := new(big.Int).Sub(half.prime, one)
		if less.Cmp(one) <= 0 {
			return errors.New("crypto/rsa: invalid prime")
		}
		exponent := half.exponent.big()
		if exponent.Cmp(less) >= 0 || r.Mul(exponent, e).Mod(r, less).Cmp(one) != 0 {
			return errors.New("crypto/rsa: invalid CRT exponent")
		}
	}
	if r.Mul(q, k.inverse.big()).Mod(r, p).Cmp(one) != 0 {
		return errors.New("crypto/rsa: invalid CRT coefficient")
	}
	if r.Mod(d, new(big.Int).Sub(p, one)).Cmp(k.dp.big()) != 0 {
		return errors.New("crypto/rsa: d does not match dP")
	}
	if r.Mod(d, new(big.Int).Sub(q, one)).Cmp(k.dq.big()) != 0 {
		return errors.New("crypto/rsa: d does not match dQ")
	}
	if p.Cmp(q) == 0 {
		return errors.New("crypto/rsa: p == q")
	}
	bits := n.BitLen()
	if r.Sub(p, q).BitLen() <= bits/2-100 {
		return errors.New("crypto/rsa: |p - q| too small")
	}
	if d.BitLen() <= bits/2 {
		return errors.New("crypto/rsa: d too small")
	}
	return nil
}

func checkPublic(n *big.Int, e int) error {
	switch {
	case n.Bit(0) == 0:
		return errors.New("crypto/rsa: public modulus is even")
	case e < 2:
		return errors.New("crypto/rsa: public exponent too small or negative")
	case e&1 == 0:
		return errors.New("crypto/rsa: public exponent is even")
	case e > 1<<31-1:
		return errors.New("crypto/rsa: public exponent too large")
	}
	return nil
}

// encrypt computes m^e modulo n. The key has been checked.
func (pub *PublicKey) encrypt(m []byte) ([]byte, error) {
	n := pub.N.Bytes()
	if m = trimmed(m, len(n)); m == nil || bytes.Compare(m, n) >= 0 {
		return nil, errTooLarge
	}
	if c, ok := modular.ExpShort(m, uint(pub.E), n); ok {
		return c, nil
	}
	c := new(big.Int).Exp(number(m).big(), big.NewInt(int64(pub.E)), pub.N)
	return c.FillBytes(make([]byte, len(n))), nil
}

// trimmed is the number with so many bytes, or nil if that are too few.
func trimmed(m []byte, n int) []byte {
	if len(m) >= n {
		if more := len(m) - n; bytes.Count(m[:more], []byte{0}) < more {
			return nil
		}
		return m[len(m)-n:]
	}
	return append(make([]byte, n-len(m)), m...)
}

// decrypt computes c^d modulo n. A signature is checked, lest a fault give the primes away.
func (k *key) decrypt(c []byte, check bool) ([]byte, error) {
	if c = trimmed(c, len(k.n)); c == nil || bytes.Compare(c, k.n) >= 0 {
		return nil, ErrDecryption
	}
	var m []byte
	var ok bool
	if k.p != nil {
		m, ok = modular.Root(c, len(k.n), k.p, k.q, k.dp, k.dq, k.inverse)
	} else {
		m, ok = modular.Exp(c, k.d, k.n)
	}
	if !ok {
		power := new(big.Int).Exp(number(c).big(), k.d.big(), k.n.big())
		m = power.FillBytes(make([]byte, len(k.n)))
	}
	if check {
		back, err := (&PublicKey{k.n.big(), k.e}).encrypt(m)
		if err != nil || !bytes.Equal(back, c) {
			return nil, ErrDecryption
		}
	}
	return m, nil
}

// generate makes a key of two primes.
func generate(random io.Reader, bits int) (*key, error) {
	if bits < 32 {
		return nil, errors.New("rsa: key too small")
	}
	for {
		var primes [2]*big.Int
		for i, size := range [...]int{(bits + 1) / 2, bits / 2} {
			prime, err := randomPrime(random, size)
			if err != nil {
				return nil, err
			}
			primes[i] = prime
		}
		p, q := primes[0], primes[1]
		if p.Cmp(q) == 0 {
			return nil, errors.New("rsa: generated p == q, random source is broken")
		}
		// The private exponent is the inverse modulo the least common multiple of p−1 and q−1.
		a, b := new(big.Int).Sub(p, one), new(big.Int).Sub(q, one)
		multiple := new(big.Int).Mul(a, b)
		multiple.Div(multiple, new(big.Int).GCD(nil, nil, a, b))
		d := new(big.Int).ModInverse(big.NewInt(exponent), multiple)
		if d == nil {
			continue
		}
		n := new(big.Int).Mul(p, q)
		k := &key{n: n.Bytes(), e: exponent, d: d.Bytes(), p: p.Bytes(), q: q.Bytes()}
		if err := k.complete(); err != nil {
			return nil, err
		}
		return k, k.check()
	}
}

// small is the product of the odd primes below 1620.
var small = product()

func product() *big.Int {
	all := big.NewInt(1)
next:
	for n := int64(3); n < 1620; n += 2 {
		for d := int64(3); d*d <= n; d += 2 {
			if n%d == 0 {
				continue next
			}
		}
		all.Mul(all, big.NewInt(n))
	}
	return all
}

// randomPrime draws numbers with the two highest and three lowest bits set until one is prime.
func randomPrime(random io.Reader, bits int) (*big.Int, error) {
	if bits < 16 {
		return nil, errors.New("rsa: prime size must be at least 16 bits")
	}
	n, b := new(big.Int), make([]byte, (bits+7)/8)
	for {
		if _, err := io.ReadFull(random, b); err != nil {
			return nil, err
		}
		b[0] &= 0xff >> (8*len(b) - bits)
		n.SetBytes(b)
		n.SetBit(n, bits-1, 1).SetBit(n, bits-2, 1)
		n.SetBit(n, 0, 1).SetBit(n, 1, 1).SetBit(n, 2, 1)
		if isPrime(n, n.FillBytes(b)) {
			return n, nil
		}
	}
}

// rounds says how many rounds a random number of so many bits must pass. FIPS 186-5, table B.1, has
// them for errors of one in 2¹⁰⁰ and less.
func rounds(bits int) int {
	for _, least := range []struct{ bits, rounds int }{
		{3747, 3}, {1345, 4}, {476, 5}, {400, 6}, {347, 7}, {308, 8}, {55, 27},
	} {
		if bits >= least.bits {
			return least.rounds
		}
	}
	return 34
}

func isPrime(n *big.Int, b []byte) bool {
	if n.BitLen() > 11 && new(big.Int).GCD(nil, nil, n, small).Cmp(one) != 0 {
		return false
	}
	if len(b) > maxModulus {
		return n.ProbablyPrime(rounds(n.BitLen()))
	}
	base := make([]byte, len(b))
	last := new(big.Int).Sub(n, one)
	for round := rounds(n.BitLen()); round > 0; {
		rand.Reader.Read(base)
		base[0] &= 0xff >> (8*len(base) - n.BitLen())
		value := number(base).big()
		if value.Cmp(one) <= 0 || value.Cmp(last) >= 0 {
			continue
		}
		if !modular.Strong(base, b) {
			return false
		}
		round--
	}
	return true
}

// maxModulus is the longest modulus that internal/modular takes, in bytes.
const maxModulus = 2048
