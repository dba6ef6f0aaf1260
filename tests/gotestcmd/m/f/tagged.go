//go:build special

package f

const Special = true
