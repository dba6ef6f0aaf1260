// run exit=1
package n

func main() { println("never") }
