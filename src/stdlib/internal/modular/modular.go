// Package modular: powers modulo odd numbers of up to 16384 bits. Programs cannot import it.
//
// Numbers have the highest byte first. What is given is as long as the modulus.
package modular

// All say whether the modulus is odd, more than one, and not too long.
func exp(out, x, exponent, n []byte) bool
func expShort(out, x []byte, exponent uint, n []byte) bool
func strong(base, n []byte) bool
func root(out, c, p, q, dp, dq, inverse []byte) bool

// Exp is x to that power modulo n.
func Exp(x, exponent, n []byte) ([]byte, bool) {
	out := make([]byte, len(n))
	return out, exp(out, x, exponent, n)
}

// ExpShort is the same for an exponent that is no secret.
func ExpShort(x []byte, exponent uint, n []byte) ([]byte, bool) {
	out := make([]byte, len(n))
	return out, expShort(out, x, exponent, n)
}

// Strong says whether n, which is 3 modulo 4, passes Miller and Rabin's test with that base.
func Strong(base, n []byte) bool { return strong(base, n) }

// Root decrypts c, of size bytes, with a key's primes p and q, the exponents modulo p−1 and q−1,
// and the inverse of q modulo p.
func Root(c []byte, size int, p, q, dp, dq, inverse []byte) ([]byte, bool) {
	out := make([]byte, size)
	return out, root(out, c, p, q, dp, dq, inverse)
}
