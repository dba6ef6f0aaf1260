// run exit=1

// +build ignore

package loops

func Own() {}
