// run
// Functions of the library are given slices, strings and interfaces that another goroutine changes
// meanwhile. What they give is anything, or a panic that can be recovered from; the program goes
// on. Whatever a torn word names lies inside of memory that is there.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math/big"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

var (
	backing = strings.Repeat("aé,b \t\"\\x世", 100)
	words   = make([]string, 20)
	raw     = make([]byte, 1000)
	runes   = make([]rune, 300)
	units   = make([]uint16, 300)
	ints    = make([]int, 300)
	floats  = make([]float64, 300)
	lists   = make([][]byte, 20)
	text    = backing
	number  any
	nat     = new(big.Int)
	parts   struct {
		A, B string
		C    []byte
		D    any
		E    map[string]int
	}
)

func write() {
	for i := 0; ; i++ {
		n := i * 7919 % 500
		words[i%20] = backing[n : n+i%300]
		raw[n] = byte(i >> 3)
		runes[n%300] = rune(i * 31)
		units[n%300] = uint16(i * 57)
		ints[n%300] = i * 13 % 1000
		floats[n%300] = float64(i % 77)
		lists[i%20] = raw[n : n+i%300]
		text = backing[n : n+i%400]
		parts.A, parts.B, parts.C = text, words[n%20], raw[n:n+i%300]
		if i%2 == 0 {
			parts.D, number = i, i
		} else {
			parts.D, number = float64(i), uint(i)
		}
		if i%1024 == 0 {
			runtime.Gosched()
		}
	}
}

var cases = map[string]func() any{
	"strings.Join":       func() any { return strings.Join(words, ",") },
	"strings.Fields":     func() any { return strings.Fields(text) },
	"strings.Split":      func() any { return strings.Split(text, ",") },
	"strings.Replace":    func() any { return strings.ReplaceAll(text, words[3], words[4]) },
	"strings.ToUpper":    func() any { return strings.ToUpper(text) },
	"strings.Repeat":     func() any { return strings.Repeat(words[1], 10) },
	"strings.Title":      func() any { return strings.ToValidUTF8(string(raw), words[2]) },
	"strings.Replacer":   func() any { return strings.NewReplacer(words[0], words[1], "é", text).Replace(text) },
	"bytes.Join":         func() any { return bytes.Join(lists, raw[:5]) },
	"bytes.Replace":      func() any { return bytes.ReplaceAll(raw, raw[:1], raw[:3]) },
	"bytes.Fields":       func() any { return bytes.Fields(raw) },
	"bytes.ToUpper":      func() any { return bytes.ToUpper(raw) },
	"bytes.ToValidUTF8":  func() any { return bytes.ToValidUTF8(raw, raw[:2]) },
	"bytes.Runes":        func() any { return bytes.Runes(raw) },
	"bytes.EqualFold":    func() any { return bytes.EqualFold(raw[:500], raw[500:]) },
	"string of runes":    func() any { return string(runes) },
	"runes of string":    func() any { return []rune(string(raw)) },
	"utf16.Decode":       func() any { return utf16.Decode(units) },
	"utf16.Encode":       func() any { return utf16.Encode(runes) },
	"utf8.RuneCount":     func() any { return utf8.RuneCount(raw) },
	"strconv.Quote":      func() any { return strconv.Quote(text) },
	"strconv.Unquote":    func() any { s, _ := strconv.Unquote(`"` + string(raw) + `"`); return s },
	"fmt":                func() any { return fmt.Sprintf("%+v %v %q %x %X", parts, number, words, raw, text) },
	"fmt precision":      func() any { return fmt.Sprintf("%*.*d %.*U", ints[0], ints[1], ints[2], ints[3], 'x') },
	"fmt ints":           func() any { return fmt.Sprint(ints, floats, runes) },
	"json":               func() any { b, _ := json.Marshal(parts); return b },
	"json valid":         func() any { return json.Valid(raw) },
	"json indent":        func() any { var b bytes.Buffer; json.Indent(&b, raw, "", " "); return b.Len() },
	"json decode":        func() any { var v any; return json.Unmarshal(raw, &v) },
	"hex":                func() any { return hex.EncodeToString(raw) },
	"hex dump":           func() any { return hex.Dump(raw) },
	"base64":             func() any { return base64.StdEncoding.EncodeToString(raw) },
	"base64 decode":      func() any { b, _ := base64.StdEncoding.DecodeString(string(raw)); return b },
	"crc32":              func() any { return crc32.ChecksumIEEE(raw) },
	"sort.Ints":          func() any { s := ints[:200]; sort.Ints(s); return s },
	"sort.Strings":       func() any { sort.Strings(words); return nil },
	"slices.Sort":        func() any { slices.Sort(floats); return nil },
	"slices.BinarySerch": func() any { n, _ := slices.BinarySearch(ints, 5); return n },
	"reflect.DeepEqual":  func() any { return reflect.DeepEqual(parts, parts) && reflect.DeepEqual(ints, ints) },
	"reflect.Copy":       func() any { return reflect.Copy(reflect.ValueOf(raw), reflect.ValueOf(raw[3:])) },
	"big":                func() any { return nat.SetBytes(raw).String() },
	"regexp":             func() any { return pattern.FindAllString(text, -1) },
	"regexp bytes":       func() any { return pattern.ReplaceAll(raw, raw[:3]) },
	"append":             func() any { return append(append([]byte{}, raw...), text...) },
	"concatenation":      func() any { return text + words[0] + words[1] + text },
	"comparison":         func() any { return text < words[0] || text == words[1] },
	"map keys":           func() any { m := map[string]int{text: 1, words[0]: 2}; return m[text] },
}

var pattern = regexp.MustCompile(`[a-z]+|é`)

func main() {
	runtime.GOMAXPROCS(2)
	limit := 20 * time.Millisecond
	if len(os.Args) > 1 {
		limit, _ = time.ParseDuration(os.Args[1])
	}
	go write()
	for name, f := range cases {
		for start := time.Now(); time.Since(start) < limit; {
			func() {
				defer func() {
					if e := recover(); e != nil && len(os.Args) > 1 {
						fmt.Fprintln(os.Stderr, name, e)
					}
				}()
				f()
			}()
		}
	}
	fmt.Println("ok")
}
