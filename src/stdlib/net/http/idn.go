package http

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Names of hosts that are not ASCII. On the wire each of their labels is written with ASCII
// letters, by Punycode: RFC 3492.

// asciiHostPort writes a host, which may have a port, with ASCII letters, and leaves its letters as
// they are otherwise.
func asciiHostPort(host string) (string, error) {
	if isASCII(host) {
		return host, nil
	}
	port := ""
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		host, port = host[:i], host[i:]
		if strings.IndexByte(host, ':') >= 0 {
			return "", fmt.Errorf("address %s: too many colons in address", host+port)
		}
	}
	return asciiLabels(host) + port, nil
}

// asciiHost is the name by which a host is looked up: in lower case, and with ASCII letters. A name
// that no host can have stays as it is: looking it up will tell. What Unicode has for names in other
// ways (letters that are made of several, that are written from right to left, or that stand for
// others) is refused.
func asciiHost(host string) (string, error) {
	if isASCII(host) {
		return host, nil
	}
	var b strings.Builder
	for _, r := range host {
		switch {
		case r == '。':
			r = '.'
		case r < 0x80:
			r = unicode.ToLower(r)
			if r != '.' && r != '-' && !('a' <= r && r <= 'z') && !('0' <= r && r <= '9') {
				return host, nil
			}
		case !isNameLetter(r):
			return "", notTranslated(host)
		default:
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	for label := range strings.SplitSeq(b.String(), ".") {
		if strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") ||
			len(label) > 3 && label[2:4] == "--" {
			return host, nil
		}
	}
	return asciiLabels(b.String()), nil
}

func notTranslated(host string) error {
	return fmt.Errorf("http: host %q is not ASCII, and not translated here", host)
}

// isNameLetter says whether a letter stands for itself, or for its lower case.
func isNameLetter(r rune) bool {
	switch {
	case 0xc0 <= r && r <= 0x17e:
		return !slices.Contains([]rune{0xd7, 0xf7, 0x130, 0x132, 0x133, 0x13f, 0x140, 0x149}, r)
	case 0x386 <= r && r <= 0x3ce:
		return unicode.IsLetter(r)
	case 0x400 <= r && r <= 0x4ff:
		return unicode.IsLetter(r) && r != 0x4c0
	case 0x3041 <= r && r <= 0x3096, 0x30a1 <= r && r <= 0x30fa, r == 0x30fc:
		// Kana.
		return true
	case 0x4e00 <= r && r <= 0x9fff, 0xac00 <= r && r <= 0xd7a3:
		// Ideographs, and Korean syllables.
		return true
	}
	return false
}

// asciiLabels writes those labels that need it by Punycode.
func asciiLabels(host string) string {
	labels := strings.Split(host, ".")
	for i, label := range labels {
		if !isASCII(label) {
			labels[i] = "xn--" + punycode([]rune(label))
		}
	}
	return strings.Join(labels, ".")
}

// punycode writes the ASCII letters of a label first; then, by number, what the others are and
// where they stand: each number tells how far one has to go on from the one before, by letter of the
// alphabet and, for each, by place.
func punycode(label []rune) string {
	const base, least, most = 36, 1, 26
	var b strings.Builder
	for _, r := range label {
		if r < 0x80 {
			b.WriteByte(byte(r))
		}
	}
	done := b.Len()
	first := done
	if done > 0 {
		b.WriteByte('-')
	}
	at, delta, bias := rune(0x80), 0, 72
	for done < len(label) {
		next := rune(unicode.MaxRune)
		for _, r := range label {
			if r >= at {
				next = min(next, r)
			}
		}
		delta += int(next-at) * (done + 1)
		at = next
		for _, r := range label {
			if r < at {
				delta++
			}
			if r != at {
				continue
			}
			n := delta
			for k := base; ; k += base {
				threshold := min(max(k-bias, least), most)
				if n < threshold {
					break
				}
				n -= threshold
				b.WriteByte(punyDigit(threshold + n%(base-threshold)))
				n /= base - threshold
			}
			b.WriteByte(punyDigit(n))
			// The numbers that follow are likely to be as large.
			if done == first {
				delta /= 700
			} else {
				delta /= 2
			}
			done++
			delta += delta / done
			bias = 0
			for delta > (base-least)*most/2 {
				delta /= base - least
				bias += base
			}
			bias += (base - least + 1) * delta / (delta + 38)
			delta = 0
		}
		delta++
		at++
	}
	return b.String()
}

func punyDigit(n int) byte {
	if n < 26 {
		return byte('a' + n)
	}
	return byte('0' + n - 26)
}
