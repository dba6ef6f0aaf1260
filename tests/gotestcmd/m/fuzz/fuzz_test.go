package fuzz

import (
	"testing"
	"unicode/utf8"
)

func FuzzGood(f *testing.F) {
	f.Add("abc", 1)
	f.Add("", -5)
	f.Fuzz(func(t *testing.T, s string, n int) {
		t.Log(s, n)
		if n > 1<<60 && s == "never" {
			t.Fail()
		}
	})
}

func FuzzBytes(f *testing.F) {
	f.Cleanup(func() { f.Log("cleaned") })
	f.Fuzz(func(t *testing.T, b []byte, c byte, r rune, x float64, ok bool) {
		if !utf8.Valid(b) {
			t.Errorf("not valid: %q %q %q %v %v", b, c, r, x, ok)
		}
	})
}

func FuzzBroken(f *testing.F) {
	f.Add("FUY")
	f.Fuzz(func(t *testing.T, s string) { Broken(s) })
}

func FuzzWrong(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) {})
}

func FuzzMismatch(f *testing.F) {
	f.Add("text")
	f.Fuzz(func(t *testing.T, n int) {})
}

func FuzzCount(f *testing.F) {
	f.Add(1, 2)
	f.Fuzz(func(t *testing.T, n int) {})
}

func FuzzType(f *testing.F) {
	defer func() { f.Skip(recover()) }()
	f.Add([]int{1})
}

func FuzzForgotten(f *testing.F) {}

func FuzzSkipped(f *testing.F) { f.Skip("not now") }

func FuzzInside(f *testing.F) {
	f.Add(true)
	f.Fuzz(func(t *testing.T, b bool) {
		defer func() { t.Error(recover()) }()
		f.Log("here")
	})
}
