package curves

func x25519(out, scalar, point []byte)
func x25519Base(out, scalar []byte)
func edPublic(out, seed []byte)
func edSign(sig, key, message []byte, domain string)
func edVerify(public, message, sig []byte, domain string) bool
func edPoint(public []byte) bool

// X25519 multiplies the point with that coordinate; both have 32 bytes.
func X25519(scalar, point []byte) []byte {
	out := make([]byte, 32)
	x25519(out, scalar, point)
	return out
}

func X25519Base(scalar []byte) []byte {
	out := make([]byte, 32)
	x25519Base(out, scalar)
	return out
}

// EdKey is the private key to a seed of 32 bytes: the seed, and the public key.
func EdKey(seed []byte) []byte {
	key := make([]byte, 64)
	copy(key, seed)
	edPublic(key[32:], key[:32])
	return key
}

// EdSign signs with a key of 64 bytes. The domain comes before all that is hashed.
func EdSign(key, message []byte, domain string) []byte {
	sig := make([]byte, 64)
	edSign(sig, key, message, domain)
	return sig
}

// EdVerify takes a key of 32 and a signature of 64 bytes.
func EdVerify(public, message, sig []byte, domain string) bool {
	return edVerify(public, message, sig, domain)
}

// EdPoint says whether 32 bytes are a public key.
func EdPoint(public []byte) bool { return edPoint(public) }
