// Package prompt: how a session shows values. Programs cannot import it.
package prompt

import (
	"fmt"
	"strings"
	"syscall"
	"unsafe"
)

// How many bytes of a value are shown.
const most = 4096

// Show writes a value and its static type to standard output, or each with a zero byte behind it to
// another descriptor; a nil error that is alone is nothing to show.
func Show(to int, v any, typ string, isAlone bool) {
	if v == nil && typ == "error" && isAlone {
		return
	}
	text := shorten(Text(v, typ))
	if to == 1 {
		text += " // " + typ + "\n"
	} else {
		text = strings.ReplaceAll(text, "\x00", "\\x00") + "\x00" + typ + "\x00"
	}
	for len(text) > 0 {
		n, err := syscall.Write(to, []byte(text))
		if err != nil {
			return
		}
		text = text[n:]
	}
}

// Text is a value as Go writes it, or what it says of itself.
func Text(v any, typ string) string {
	switch v.(type) {
	case nil:
		return "nil"
	case error, fmt.Stringer:
		return fmt.Sprintf("%v", v)
	}
	text := fmt.Sprintf("%#v", v)
	switch {
	case strings.HasPrefix(text, "0x"):
		// An unsigned number.
		return fmt.Sprintf("%d", v)
	case strings.HasPrefix(text, "(func("):
		return typ + " {…}"
	}
	return unqualified(text)
}

// unqualified is a value's text without the name of the package that the session is.
func unqualified(text string) string {
	const qualifier = "main."
	if !strings.Contains(text, qualifier) {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"' || c == '`' || c == '\'':
			end := i + 1
			for end < len(text) && text[end] != c {
				if text[end] == '\\' && c != '`' {
					end++
				}
				end++
			}
			end = min(end+1, len(text))
			out.WriteString(text[i:end])
			i = end
		case c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80:
			end := i
			for end < len(text) && isNamePart(text[end]) {
				end++
			}
			if text[i:min(end+1, len(text))] == qualifier {
				i = end + 1
				continue
			}
			out.WriteString(text[i:end])
			i = end
		default:
			out.WriteByte(c)
			i++
		}
	}
	return out.String()
}

func isNamePart(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func shorten(text string) string {
	if len(text) <= most {
		return text
	}
	end := most
	// No character is cut in two.
	for end > 0 && text[end]&0xc0 == 0x80 {
		end--
	}
	return text[:end] + "… (" + grouped(len(text)-end) + " more)"
}

// grouped is n with commas between groups of three digits.
func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

// Who has the prompt look at a channel or a pointer.
func Who(x any) { look((*[2]uintptr)(unsafe.Pointer(&x))[1]) }

func look(at uintptr)

// Later is a channel that gets the value when the goroutine of an input has ended.
func Later[T any](value *T, input int) <-chan T {
	c := make(chan T, 1)
	go func() {
		wait(input)
		c <- *value
	}()
	return c
}

func wait(input int)
