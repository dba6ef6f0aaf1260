// run

// Entities by name and by number, whole, broken and long, and characters that are escaped.
package main

import (
	"fmt"
	"html"
	"strings"
)

func main() {
	fmt.Println(html.EscapeString(`<a href="x?a=1&b=2">it's é</a>`))
	for _, s := range []string{
		"plain", "&amp;&lt;&gt;&quot;&#39;&apos;", "&copy;&copy &copyx &notit; &notin; &not",
		"&NotEqualTilde; &bne; &fjlig;", "&AMP &Amp; &amp",
		"&#65;&#x41;&#X41;&#0;&#128;&#x9f;&#159;",
		"&#xD800;&#x110000;&#99999999999;&#xffffffff;",
		"& &; &# &#; &#x; &#xg; &#1 &#12 &#1a &#12a", "&#65",
		"&unknown; &Aacute&aacute;", "a&b&&c", "&euro;&hearts;&nbsp;|",
		"&CounterClockwiseContourIntegral;", "&acE; &lates; &zwj;", "\xff&lt;\xff", "&ampamp;",
		"&ltx", "&lt=",
	} {
		fmt.Printf("%q %q\n", s, html.UnescapeString(s))
	}
	long := strings.Repeat("&lt;&eacute x", 10000)
	fmt.Println(len(html.UnescapeString(long)),
		html.UnescapeString(html.EscapeString(long)) == long)
}
