// run exit=1
package main

func Main() { println("never") }
