package comment

// This file knows the packages of the library by their names.

import "strings"

// single are the packages of the library whose paths have one element, each between spaces.
const single = " bufio bytes cmp context crypto embed encoding errors expvar flag fmt hash html" +
	" image io iter log maps math mime net os path plugin reflect regexp runtime slices sort" +
	" strconv strings structs sync syscall testing time unicode unique unsafe uuid weak "

// DefaultLookupPackage knows the packages of the library whose import path is their name.
func DefaultLookupPackage(name string) (importPath string, ok bool) {
	if name == "" || strings.Contains(name, " ") || !strings.Contains(single, " "+name+" ") {
		return "", false
	}
	return name, true
}
