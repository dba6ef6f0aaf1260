// Package maps: what can be done with any map.
package maps

import "iter"

func Keys[Map ~map[K]V, K comparable, V any](m Map) iter.Seq[K] {
	return func(yield func(key K) bool) {
		for key := range m {
			if !yield(key) {
				break
			}
		}
	}
}

func Clone[M ~map[K]V, K comparable, V any](m M) (twin M) {
	if m != nil {
		twin = make(M, len(m))
		Copy(twin, m)
	}
	return twin
}

func Insert[Map ~map[K]V, K comparable, V any](into Map, seq iter.Seq2[K, V]) {
	for key, value := range seq {
		into[key] = value
	}
}

func Values[Map ~map[K]V, K comparable, V any](m Map) iter.Seq[V] {
	return func(yield func(value V) bool) {
		for _, value := range m {
			if !yield(value) {
				break
			}
		}
	}
}

func Equal[M1, M2 ~map[K]V, K, V comparable](m1 M1, m2 M2) bool {
	return EqualFunc(m1, m2, func(v, w V) bool { return v == w })
}

func DeleteFunc[M ~map[K]V, K comparable, V any](m M, superfluous func(K, V) bool) {
	for key, value := range m {
		if superfluous(key, value) {
			delete(m, key)
		}
	}
}

func All[Map ~map[K]V, K comparable, V any](m Map) iter.Seq2[K, V] {
	return func(yield func(key K, value V) bool) {
		for key, value := range m {
			if !yield(key, value) {
				break
			}
		}
	}
}

func Collect[K comparable, V any](seq iter.Seq2[K, V]) map[K]V {
	m := make(map[K]V)
	Insert(m, seq)
	return m
}

func EqualFunc[M1 ~map[K]V1, M2 ~map[K]V2, K comparable, V1, V2 any](m1 M1, m2 M2, eq func(V1, V2) bool) bool {
	same := len(m1) == len(m2)
	if same {
		for k, v := range m1 {
			w, has := m2[k]
			if same = has && eq(v, w); !same {
				break
			}
		}
	}
	return same
}

func Copy[M1 ~map[K]V, M2 ~map[K]V, K comparable, V any](into M1, from M2) {
	for key, value := range from {
		into[key] = value
	}
}
