// Package bits: counting, turning and long arithmetic of machine words.
package bits

const UintSize = 64
