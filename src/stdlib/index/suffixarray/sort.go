package suffixarray

import (
	"bytes"
	"slices"
)

// sort32 puts into sa where the suffixes of text begin, in their order.
func sort32(text []byte, sa []int32)

// sort64 is the same for texts that are too long for sort32, and slow.
func sort64(text []byte, sa []int64) {
	for i := range sa {
		sa[i] = int64(i)
	}
	slices.SortFunc(sa, func(a, b int64) int { return bytes.Compare(text[a:], text[b:]) })
}
