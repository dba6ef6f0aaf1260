// An array of as many elements as an int counts has slices and bounds like any other.

package main

func main() {
	var p *[1<<63 - 1]struct{}
	_ = p[:1]
	_ = p[1 : 2 : 1<<63-1]
	_ = p[1<<63-1]
	_ = p[2:1]
}
