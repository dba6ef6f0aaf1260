// Package rsa: RSA. RFC 8017. The powers are internal/modular's.
package rsa

import (
	"crypto"
	cryptorand "crypto/rand"
	_ "crypto/sha3"
	"crypto/subtle"
	"errors"
	"internal/godebug"
	"internal/rand"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
)

type PublicKey struct {
	N *big.Int
	E int
}

func (pub *PublicKey) Size() int { return (pub.N.BitLen() + 7) / 8 }

func (pub *PublicKey) Equal(x crypto.PublicKey) bool {
	other, ok := x.(*PublicKey)
	return ok && same(pub.N, other.N) && pub.E == other.E
}

type PrivateKey struct {
	PublicKey
	D           *big.Int
	Primes      []*big.Int
	Precomputed PrecomputedValues
}

func same(a, b *big.Int) bool {
	return subtle.ConstantTimeCompare(a.Bytes(), b.Bytes()) == 1
}

func (priv *PrivateKey) Equal(x crypto.PrivateKey) bool {
	other, ok := x.(*PrivateKey)
	return ok && priv.PublicKey.Equal(&other.PublicKey) && same(priv.D, other.D) &&
		slices.EqualFunc(priv.Primes, other.Primes, same)
}

func (priv *PrivateKey) Public() crypto.PublicKey { return &priv.PublicKey }

var one = big.NewInt(1)

type OAEPOptions struct {
	Hash    crypto.Hash
	MGFHash crypto.Hash
	Label   []byte
}

func (priv *PrivateKey) Sign(
	rand io.Reader, digest []byte, opts crypto.SignerOpts,
) ([]byte, error) {
	pss, isPSS := opts.(*PSSOptions)
	if !isPSS {
		return SignPKCS1v15(rand, priv, opts.HashFunc(), digest)
	}
	return SignPSS(rand, priv, pss.Hash, digest, pss)
}

func (priv *PrivateKey) Decrypt(
	rand io.Reader, ciphertext []byte, opts crypto.DecrypterOpts,
) (plaintext []byte, err error) {
	switch opts := opts.(type) {
	case nil:
	case *OAEPOptions:
		hash, mask, err := opts.hashes("rsa: ")
		if err != nil {
			return nil, err
		}
		return decryptOAEP(hash, mask, priv, ciphertext, opts.Label)
	case *PKCS1v15DecryptOptions:
		if opts.SessionKeyLen <= 0 {
			break
		}
		key := make([]byte, opts.SessionKeyLen)
		if _, err := io.ReadFull(rand, key); err != nil {
			return nil, err
		}
		if err := DecryptPKCS1v15SessionKey(rand, priv, ciphertext, key); err != nil {
			return nil, err
		}
		return key, nil
	default:
		return nil, errors.New("crypto/rsa: invalid options for Decrypt")
	}
	return DecryptPKCS1v15(rand, priv, ciphertext)
}

type PrecomputedValues struct {
	Dp, Dq    *big.Int
	Qinv      *big.Int
	CRTValues []CRTValue

	key *key
}

type CRTValue struct {
	Exp   *big.Int
	Coeff *big.Int
	R     *big.Int
}

func (priv *PrivateKey) Validate() error {
	var err error
	switch {
	case len(priv.Primes) < 2:
		err = errors.New("crypto/rsa: missing primes")
	case priv.Precomputed.key == nil:
		_, err = priv.precompute()
	case !priv.isPrecomputed():
		err = errors.New("crypto/rsa: precomputed values are inconsistent with the key")
	}
	return err
}

// isPrecomputed says whether the values are there, and this key's.
func (priv *PrivateKey) isPrecomputed() bool {
	k := priv.Precomputed.key
	if k == nil || priv.E != k.e || !k.n.is(priv.N) || !k.d.is(priv.D) {
		return false
	}
	if len(priv.Primes) != 2 {
		return k.p == nil
	}
	return k.p != nil && k.p.is(priv.Primes[0]) && k.q.is(priv.Primes[1]) &&
		k.dp.is(priv.Precomputed.Dp) && k.dq.is(priv.Precomputed.Dq) &&
		k.inverse.is(priv.Precomputed.Qinv)
}

// Precompute leaves a key as it is that is none; Validate says what is wrong with it.
func (priv *PrivateKey) Precompute() {
	if priv.isPrecomputed() {
		return
	}
	values, err := priv.precompute()
	if err != nil {
		priv.Precomputed.key = nil
		return
	}
	priv.Precomputed = values
}

func (priv *PrivateKey) precompute() (values PrecomputedValues, err error) {
	if priv.N == nil {
		return values, errors.New("crypto/rsa: missing public modulus")
	}
	if priv.D == nil {
		return values, errors.New("crypto/rsa: missing private exponent")
	}
	if len(priv.Primes) != 2 {
		return priv.precomputeMany()
	}
	for i, name := range []string{"P", "Q"} {
		if priv.Primes[i] == nil {
			return values, errors.New("crypto/rsa: prime " + name + " is nil")
		}
	}
	k := &key{
		n: natural(priv.N), e: priv.E, d: natural(priv.D),
		p: natural(priv.Primes[0]), q: natural(priv.Primes[1]),
	}
	old := priv.Precomputed
	if old.Dp != nil && old.Dq != nil && old.Qinv != nil {
		k.dp, k.dq, k.inverse = natural(old.Dp), natural(old.Dq), natural(old.Qinv)
		values = old
	} else if err := k.complete(); err != nil {
		return values, err
	} else {
		values.Dp, values.Dq, values.Qinv = k.dp.big(), k.dq.big(), k.inverse.big()
	}
	if err := k.check(); err != nil {
		return PrecomputedValues{}, err
	}
	values.key, values.CRTValues = k, []CRTValue{}
	return values, nil
}

// precomputeMany computes for keys with another number of primes than two what programs may ask
// for; such keys are used without their primes.
func (priv *PrivateKey) precomputeMany() (values PrecomputedValues, err error) {
	k := &key{n: natural(priv.N), e: priv.E, d: natural(priv.D)}
	if err := k.check(); err != nil {
		return values, err
	}
	if values.key = k; len(priv.Primes) < 2 {
		return values, nil
	}
	if err := checkPrimes(priv.Primes); err != nil {
		return values, err
	}
	// A prime is told by its exponent, and by the inverse of the product of those before it. Of the
	// first two the second is said to be before the first.
	remainders := make([]CRTValue, len(priv.Primes))
	for i, prime := range priv.Primes {
		one := &remainders[i]
		one.Exp = exponentFor(priv.D, prime)
		switch i {
		case 0:
			one.R = priv.Primes[1]
		case 1:
			one.R = priv.Primes[0]
		default:
			one.R = new(big.Int).Mul(priv.Primes[i-1], remainders[i-1].R)
		}
		if i == 1 {
			continue
		}
		if one.Coeff = new(big.Int).ModInverse(one.R, prime); one.Coeff == nil {
			err = errors.New("crypto/rsa: prime factors are not relatively prime")
			break
		}
	}
	values.Dp, values.Dq, values.Qinv = remainders[0].Exp, remainders[1].Exp, remainders[0].Coeff
	values.CRTValues = remainders[2:]
	return values, err
}

// exponentFor is the private exponent for the remainders by a prime.
func exponentFor(d, prime *big.Int) *big.Int {
	less := new(big.Int).Sub(prime, one)
	return less.Mod(d, less)
}

func checkPrimes(primes []*big.Int) error {
	for _, prime := range primes {
		switch {
		case prime == nil:
			return errors.New("crypto/rsa: prime factor is nil")
		case prime.Cmp(one) <= 0:
			return errors.New("crypto/rsa: prime factor is <= 1")
		}
	}
	return nil
}

// checked is the key to compute with.
func (priv *PrivateKey) checked() (*key, error) {
	if k := priv.Precomputed.key; k != nil {
		return k, nil
	}
	values, err := priv.precompute()
	return values.key, err
}

func (pub *PublicKey) checkSize() error {
	if pub.N == nil {
		return errors.New("crypto/rsa: missing public modulus")
	}
	return checkBits(pub.N.BitLen())
}

func GenerateKey(random io.Reader, bits int) (*PrivateKey, error) {
	if err := checkBits(bits); err != nil {
		return nil, err
	}
	random = rand.Custom(random)
	k, err := generate(random, bits)
	// Of tiny keys not every pair of primes makes one.
	for try := 1; try < 8 && bits < 256 && err != nil; try++ {
		k, err = generate(random, bits)
	}
	if err != nil {
		return nil, err
	}
	return &PrivateKey{
		PublicKey: PublicKey{k.n.big(), k.e},
		D:         k.d.big(),
		Primes:    []*big.Int{k.p.big(), k.q.big()},
		Precomputed: PrecomputedValues{
			Dp: k.dp.big(), Dq: k.dq.big(), Qinv: k.inverse.big(),
			CRTValues: []CRTValue{}, key: k,
		},
	}, nil
}

func checkBits(bits int) error {
	if bits >= 1024 || godebug.Is("rsa1024min", "0") {
		return nil
	}
	return errors.New("crypto/rsa: " + strconv.Itoa(bits) +
		"-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)")
}

func GenerateMultiPrimeKey(random io.Reader, nprimes int, bits int) (*PrivateKey, error) {
	if nprimes == 2 {
		return GenerateKey(random, bits)
	}
	random = rand.Custom(random)
	const prefix = "crypto/rsa: "
	if nprimes < 2 {
		return nil, errors.New(prefix + "GenerateMultiPrimeKey: nprimes must be >= 2")
	}
	if bits < 64 {
		// A quarter of the primes has its two highest bits set; half of those must do.
		limit := float64(uint64(1) << uint(bits/nprimes))
		if limit/(math.Log(limit)-1)/8 <= float64(nprimes) {
			return nil, errors.New(prefix + "too few primes of given length to generate an RSA key")
		}
	}
	for {
		primes, err := draw(random, nprimes, bits)
		if err != nil {
			return nil, err
		}
		n, totient := big.NewInt(1), big.NewInt(1)
		distinct := true
		for i, prime := range primes {
			for _, other := range primes[:i] {
				distinct = distinct && prime.Cmp(other) != 0
			}
			n.Mul(n, prime)
			totient.Mul(totient, new(big.Int).Sub(prime, one))
		}
		d := new(big.Int).ModInverse(big.NewInt(exponent), totient)
		if !distinct || n.BitLen() != bits || d == nil {
			continue
		}
		priv := &PrivateKey{D: d, Primes: primes}
		priv.N, priv.E = n, exponent
		priv.Precompute()
		if err = priv.Validate(); err != nil {
			priv = nil
		}
		return priv, err
	}
}

// draw draws primes for a product of so many bits, of which many factors lose some.
func draw(random io.Reader, count, bits int) ([]*big.Int, error) {
	if count >= 7 {
		bits += (count - 2) / 5
	}
	primes := make([]*big.Int, count)
	for i := range primes {
		prime, err := cryptorand.Prime(random, bits/(count-i))
		if err != nil {
			return nil, err
		}
		primes[i] = prime
		bits -= prime.BitLen()
	}
	return primes, nil
}

var ErrMessageTooLong = errors.New("crypto/rsa: message too long for RSA key size")
var ErrDecryption = errors.New("crypto/rsa: decryption error")
var ErrVerification = errors.New("crypto/rsa: verification error")
