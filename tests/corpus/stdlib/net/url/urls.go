// run

// URLs parsed, refused, written, resolved; queries; what is escaped where.
package main

import (
	"encoding"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
)

var raws = []string{
	"", "*", "http://example.com",
	"HTTP://User:Pa%20ss@Example.com:8080/a%2fb/c%20d?x=1&y=2#frag%41", "http://a?",
	"http://a/?", "a?b?c", "http://a??", "mailto:x@y.z", "mailto:?subject=a", "//host/path",
	"///path", "////p",
	"/a:b", "a:b", "1:b", "a/b:c", "a%3Ab", ":x", "http:", "http:/p", "http:///p",
	"file:///tmp/x", "file:/tmp", "http://[::1]:80/x", "http://[::1%25eth0]/",
	"http://[::1%25e%20x]/", "http://[fe80::1%25]/", "http://[::1", "http://[1.2.3.4]/",
	"http://[x]/", "http://a[b]/", "http://[::1]x/", "http://a:80:90/", "xx://a:80:90/",
	"http://a:b/", "http://a:/", "http://:80/", "http://a b/", "http://a%20b/", "http://a%41b/",
	"http://ä%C3%A4/", "http://a%zz/", "http://u:p:q@h/", "http://u@v@h/", "http://u ser@h/",
	"http://u%zz@h/", "http://u:%zz@h/", "http://@h", "http://:@h", "http://h/%", "http://h/%4",
	"http://h/%zz", "http://h/a b", "http://h/\x7f", "http://h/\n", "http://h/ä?ä#ä",
	"http://h/#%zz", "http://h#", "http://h/a;b,c+d=e&f$g!h'i(j)k*l[m]",
	"http://h/a%3bb", "http://h/<>\"{}|\\^`", "http://h?a=b;c", "?q", "#f", "./a:b", "../x",
	"http://a/b/../c/./d", "http://h//p", "urn:a:b", "a+b-c.d:x", "http://h:99999/",
	"http://h\\x", "tel:+1-2", "data:text/plain,hi", "http://a<b>/", "javascript:alert(1)//x?y#z",
}

func main() {
	for _, raw := range raws {
		u, err := url.Parse(raw)
		if err != nil {
			var e *url.Error
			fmt.Printf("%q %v %v\n", raw, err, errors.As(err,
				&e) && e.Op == "parse" && !e.Timeout() && !e.Temporary())
		} else {
			fmt.Printf("%q %q %q %v %q %q %q %q %q %q %v %v\n", raw, u.Scheme, u.Opaque, u.User,
				u.Host, u.Path, u.RawPath, u.RawQuery, u.Fragment, u.RawFragment, u.ForceQuery,
				u.OmitHost)
			fmt.Printf("  %s %q %q %q %q %q %v %s\n", u, u.EscapedPath(), u.EscapedFragment(),
				u.Hostname(), u.Port(), u.RequestURI(), u.IsAbs(), u.Redacted())
			fmt.Println("  ", u.JoinPath("x", "../y/"), u.JoinPath(),
				*u.Clone() == *u || u.User != nil)
		}
		if u, err := url.ParseRequestURI(raw); err != nil {
			fmt.Println("  ", err)
		} else {
			fmt.Println("  ", u)
		}
		fmt.Println(url.JoinPath(raw, "a b", "../%2e", "c%"))
	}
	for _, base := range []string{"http://a/b/c/d;p?q", "http://a", "mailto:x", "file:///x/y",
		"http://u:p@h/a%2fb/c", "/x/y/z", "x"} {
		b, _ := url.Parse(base)
		for _, ref := range []string{"g:h", "g", "./g", "g/", "/g", "//g", "?y", "g?y", "#s",
			"g#s", ";x", "", ".", "./", "..", "../", "../g", "../..", "../../g", "../../../g",
			"/./g", "/../g", "g.", ".g", "g..", "./../g", "g/./h", "g/../h", "mailto:y", "//",
			"a//b/../c", "%zz", "/%2e/x", "?", "..//x"} {
			u, err := b.Parse(ref)
			fmt.Print(u, " ", err, "; ")
		}
		fmt.Println()
	}
	var all strings.Builder
	for c := range 256 {
		all.WriteByte(byte(c))
	}
	s := all.String()
	fmt.Println(url.QueryEscape(s), url.PathEscape(s))
	fmt.Println(&url.URL{Path: s}, &url.URL{Scheme: "x", Host: s}, url.UserPassword(s, s),
		&url.URL{Fragment: s})
	for _, s := range []string{"a+b%20c", "%", "%a", "%zz%", "%41%4a", "+", "a%2Bb", "%E4%B8%96"} {
		q, err := url.QueryUnescape(s)
		p, err2 := url.PathUnescape(s)
		fmt.Printf("%q %v %q %v\n", q, err, p, err2)
	}
	for _, q := range []string{"a=1&b=2&a=3", "", "&&", "a", "=b", "a=b=c", "a;b",
		"a=%zz&b=1&%zz=2", "a+b=c%20d", "%41=%42", "a=1;b&c=2"} {
		v, err := url.ParseQuery(q)
		fmt.Println(v, err, v.Encode(), v.Get("a"), v.Has("b"))
	}
	v := url.Values{}
	v.Add("k", "v 1")
	v.Add("k", "ä&=")
	v.Set("a", "")
	c := v.Clone()
	v.Del("k")
	fmt.Println(v.Encode(), c.Encode(), url.Values(nil).Get("x"), url.Values(nil).Encode(),
		url.Values(nil).Clone() == nil)
	_, err := url.ParseQuery(strings.Repeat("a&", 10000))
	fmt.Println(err)
	os.Setenv("GODEBUG", "urlmaxqueryparams=5,urlstrictcolons=0")
	_, err = url.ParseQuery("a&b&c&d&e")
	fmt.Println(err)
	fmt.Println(url.Parse("http://a:1:2/"))

	u, _ := url.Parse("https://u:p@h/x?y#z")
	var m encoding.BinaryMarshaler = u
	b, err := m.MarshalBinary()
	fmt.Println(string(b), err, u.UnmarshalBinary([]byte("q://w")), u,
		u.UnmarshalBinary([]byte("%")), u)
	b, err = u.AppendBinary([]byte("<"))
	fmt.Println(string(b), err)
	for _, u := range []*url.URL{
		{Host: "h", Path: "p"}, {Scheme: "s", Path: "p"}, {Path: "a:b"}, {Path: "//x"},
		{Scheme: "s", OmitHost: true, Path: "//x"}, {Scheme: "s", Opaque: "o", RawQuery: "q"},
		{ForceQuery: true}, {Scheme: "s"}, {Host: "h", RawPath: "/%2f", Path: "//"},
		{Host: "h", RawPath: "/%2f", Path: "/x"}, {User: url.User("u")},
		{User: url.UserPassword("", ""), Host: "h"}, {Path: "*"}, {Scheme: "s", Opaque: "//o"},
		{RawFragment: "%41", Fragment: "A"},
	} {
		fmt.Println(u, u.RequestURI(), u.Redacted())
	}
	var none *url.Userinfo
	_, ok := none.Password()
	fmt.Println(none.Username(), none, ok, (*url.URL)(nil).Redacted(), (*url.URL)(nil).Clone())
	fmt.Println(&url.Error{Op: "Get", URL: "x", Err: os.ErrDeadlineExceeded},
		(&url.Error{Err: os.ErrDeadlineExceeded}).Timeout(),
		errors.Is(&url.Error{Err: os.ErrExist}, os.ErrExist))
	fmt.Println(url.EscapeError("%x"), url.InvalidHostError(" "))
}
