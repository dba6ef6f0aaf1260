// run
//go:debug htmlmetacontenturlescape=0

// With htmlmetacontenturlescape=0 URLs in the content of meta elements are as they are.
package main

import (
	"html/template"
	"os"
)

func main() {
	t := template.Must(template.New("").Parse(`<meta http-equiv="refresh" content="0; url={{.}}">` + "\n"))
	t.Execute(os.Stdout, "javascript:alert(1)")
}
