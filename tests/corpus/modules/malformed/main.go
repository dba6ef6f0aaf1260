// run exit=1
package main

func main() {}
