// Local variables of types that are too large.
package main

func main() {
	var s [][1 << 54]byte
	m := make(map[[1 << 53]byte]bool)
	c := make(chan<- [100]string, 1)
	d := make(chan [1 << 13]int64)
	e := make(chan [1<<16 - 1]byte)
	p := new([1 << 52]byte)
	v := make(map[string][1 << 31]byte)
	k := make(map[[1<<31 - 1]byte]bool)
	_, _, _, _, _, _, _, _ = s, m, c, d, e, p, v, k
}
