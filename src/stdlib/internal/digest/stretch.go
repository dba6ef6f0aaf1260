package digest

// algorithm and its kin tell the sums of this package from others that a program makes, whatever
// type they are embedded in.
func (d *Digest) algorithm() (magic string) { return d.alg.Magic }
func (d *Wide) algorithm() (magic string)   { return d.alg.Magic }

// Stretch is the key that crypto/pbkdf2 makes with sums as h, or nil if h is not one of ours.
func Stretch(h any, password string, salt []byte, iter, keyLength int) []byte {
	own, ok := h.(interface{ algorithm() string })
	if !ok {
		return nil
	}
	key := make([]byte, keyLength)
	if !stretch(own.algorithm(), password, salt, iter, key) {
		return nil
	}
	return key
}

// stretch fills the key, if it knows the algorithm.
func stretch(magic, password string, salt []byte, iter int, key []byte) bool
