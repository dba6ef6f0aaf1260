package tar

// Records of PAX: a text of lines, each of which begins with its own length and pairs a key with a
// value.

import (
	"strconv"
	"strings"
	"time"
)

// isRecord says whether PAX can hold the pair.
func isRecord(k, v string) bool {
	if strings.Contains(k, "=") || k == "" {
		return false
	}
	if c := columnOf(k); c != nil {
		if _, isText := c.of(new(Header)).(*string); isText {
			return !strings.Contains(v, "\x00")
		}
	}
	return !strings.Contains(k, "\x00")
}

// A pairReader reads one record after another, until the end or an error.
type pairReader struct {
	rest string
	err  error
}

func (r *pairReader) next() (k, v string, ok bool) {
	if r.rest == "" || r.err != nil {
		return "", "", false
	}
	r.err = ErrHeader
	at := strings.IndexByte(r.rest, ' ')
	if at < 0 {
		return "", "", false
	}
	n, err := strconv.ParseInt(r.rest[:at], 10, 0)
	if err != nil || n < 5 || n <= int64(at+1) || n > int64(len(r.rest)) || r.rest[n-1] != '\n' {
		return "", "", false
	}
	k, v, ok = strings.Cut(r.rest[at+1:n-1], "=")
	if !ok || !isRecord(k, v) {
		return "", "", false
	}
	r.rest, r.err = r.rest[n:], nil
	return k, v, true
}

// appendRecord writes a record: its length counts itself.
func appendRecord(b []byte, k, v string) []byte {
	rest := len(" =\n") + len(k) + len(v)
	digits, limit := 1, 10
	for rest+digits >= limit {
		digits++
		limit *= 10
	}
	b = strconv.AppendInt(b, int64(rest+digits), 10)
	b = append(append(append(b, ' '), k...), '=')
	return append(append(b, v...), '\n')
}

// parseTime reads seconds with any number of decimals, of which nine count.
func parseTime(s string) (time.Time, error) {
	whole, part, _ := strings.Cut(s, ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return time.Time{}, ErrHeader
	}
	ns, digit := int64(0), int64(1e8)
	if whole[0] == '-' {
		digit = -digit
	}
	for _, c := range []byte(part) {
		if c < '0' || c > '9' {
			return time.Time{}, ErrHeader
		}
		ns += int64(c-'0') * digit
		digit /= 10
	}
	return time.Unix(seconds, ns), nil
}

func formatTime(t time.Time) string {
	seconds, ns := t.Unix(), int64(t.Nanosecond())
	sign := ""
	if seconds < 0 && ns > 0 { // decimals count away from zero
		sign = "-"
		seconds = -(seconds + 1)
		ns = 1e9 - ns
	}
	text := sign + strconv.FormatInt(seconds, 10)
	if ns == 0 {
		return text
	}
	decimals := strconv.AppendInt(nil, 1e9+ns, 10)
	decimals[0] = '.' // it was the 1
	return text + strings.TrimRight(string(decimals), "0")
}
