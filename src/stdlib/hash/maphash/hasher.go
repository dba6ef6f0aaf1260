package maphash

// Hasher hashes and compares values, of types that are not comparable, too. Equal ones have the
// same hash.
type Hasher[T any] interface {
	Hash(hash *Hash, value T)
	Equal(x, y T) bool
}

// ComparableHasher is what == means. Two of different T are not to be converted or compared.
type ComparableHasher[T comparable] struct {
	_ [0]func(T)
}

func (ComparableHasher[T]) Hash(h *Hash, v T) { WriteComparable(h, v) }
func (ComparableHasher[T]) Equal(x, y T) bool { return x == y }
