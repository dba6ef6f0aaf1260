// errorcheck

//go:build go1.28

package main

func main() {}
