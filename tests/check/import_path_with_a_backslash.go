package main

import _ `fmt\scan`

func main() {}
