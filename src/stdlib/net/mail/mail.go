// Package mail: messages with their headers, addresses and dates (RFC 5322, 6532).
package mail

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/textproto"
	"strings"
	"sync"
	"time"
)

// A Message is a header, and the body to read.
type Message struct {
	Header Header
	Body   io.Reader
}

// A Header has the values of fields by their names, in canonical form.
type Header map[string][]string

// ErrHeaderNotPresent is the error for a field that is not there.
var ErrHeaderNotPresent = errors.New("mail: header not in message")

// ReadMessage reads the header, and leaves the body to be read.
func ReadMessage(r io.Reader) (msg *Message, err error) {
	lines := textproto.NewReader(bufio.NewReader(r))
	h := Header{}
	err = h.read(lines)
	// The body may be missing.
	if err != nil && (err != io.EOF || len(h) == 0) {
		return nil, err
	}
	return &Message{h, lines.R}, nil
}

func (h Header) read(lines *textproto.Reader) error {
	if first, err := lines.R.Peek(1); err == nil && (first[0] == ' ' || first[0] == '\t') {
		line, err := lines.ReadLine()
		if err != nil {
			return err
		}
		return fmt.Errorf("malformed initial line: %q", line)
	}
	for {
		line, err := lines.ReadContinuedLine()
		if line == "" {
			return err
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return fmt.Errorf("malformed header line: %q", line)
		}
		name = textproto.CanonicalMIMEHeaderKey(name)
		if name == "" {
			continue
		}
		h[name] = append(h[name], strings.TrimLeft(value, " \t"))
		if err != nil {
			return err
		}
	}
}

// Get is the first value of a field, or "".
func (h Header) Get(key string) string { return textproto.MIMEHeader(h).Get(key) }

// Date is the value of the field Date.
func (h Header) Date() (time.Time, error) {
	if date := h.Get("Date"); date != "" {
		return ParseDate(date)
	}
	return time.Time{}, ErrHeaderNotPresent
}

// AddressList is the value of a field such as To.
func (h Header) AddressList(key string) ([]*Address, error) {
	if list := h.Get(key); list != "" {
		return ParseAddressList(list)
	}
	return nil, ErrHeaderNotPresent
}

// layouts are the forms of dates, those that RFC 5322 wants before obsolete ones.
var layouts = sync.OnceValue(func() (all []string) {
	for _, week := range []string{"", "Mon, "} {
		for _, day := range []string{"2", "02"} {
			for _, year := range []string{"2006", "06"} {
				for _, seconds := range []string{":05", ""} {
					for _, zone := range []string{"-0700", "MST", "UT"} {
						all = append(all, week+day+" Jan "+year+" 15:04"+seconds+" "+zone)
					}
				}
			}
		}
	}
	return all
})

// ParseDate reads a date, behind which there may be comments.
func ParseDate(date string) (time.Time, error) {
	date = strings.ReplaceAll(date, "\r\n", "")
	if strings.Contains(date, "\r") {
		return time.Time{}, errors.New("mail: header has a CR without LF")
	}
	p := &parser{rest: strings.TrimLeft(date, " \t")}
	// The date ends with its zone, +0100 or a name that ends with T.
	end := strings.IndexAny(p.rest, "+-")
	if end >= 0 && len(p.rest) >= end+5 {
		end += 5
	} else {
		end = strings.IndexByte(p.rest, 'T')
		if end == 0 {
			// The T of Tue and Thu.
			if end = strings.IndexByte(p.rest[1:], 'T'); end >= 0 {
				end++
			}
		}
		if end >= 0 && len(p.rest) >= end+5 {
			end++
		} else {
			end = -1
		}
	}
	if end >= 0 {
		date, p.rest = p.rest[:end], p.rest[end:]
	}
	if !p.skipComments() {
		return time.Time{}, errComment
	}
	for _, layout := range layouts() {
		if t, err := time.Parse(layout, date); err == nil {
			return t, nil
		}
	}
	return time.Time{}, errors.New("mail: header could not be parsed")
}

// An Address is a name, which may be missing, and local@domain.
type Address struct {
	Name    string
	Address string
}

// ParseAddress reads one address.
func ParseAddress(address string) (*Address, error) {
	return (&parser{rest: address}).single()
}

// ParseAddressList reads addresses, and groups of them, between commas.
func ParseAddressList(list string) ([]*Address, error) { return (&parser{rest: list}).list() }

// An AddressParser reads addresses with encoded words as its decoder does.
type AddressParser struct {
	WordDecoder *mime.WordDecoder
}

func (p *AddressParser) Parse(address string) (*Address, error) {
	return (&parser{address, p.WordDecoder}).single()
}

func (p *AddressParser) ParseList(list string) ([]*Address, error) {
	return (&parser{list, p.WordDecoder}).list()
}

// String is the address as it stands in a message.
func (a *Address) String() string {
	local, domain := a.Address, ""
	if at := strings.LastIndexByte(a.Address, '@'); at >= 0 {
		local, domain = a.Address[:at], a.Address[at+1:]
	}
	for i, r := range local {
		isDot := r == '.' && i > 0 && local[i-1] != '.' && i < len(local)-1
		if !isDot && !isAtomic(r, false) {
			local = quote(local)
			break
		}
	}
	address := "<" + local + "@" + domain + ">"
	if a.Name == "" {
		return address
	}
	isPlain := func(r rune) bool { return isBlank(r) || isVisible(r) && r < 0x80 }
	encoding := mime.QEncoding
	switch {
	case strings.IndexFunc(a.Name, func(r rune) bool { return !isPlain(r) }) < 0:
		return quote(a.Name) + " " + address
	case strings.ContainsAny(a.Name, "\"#$%&'(),.:;<>@[]^`{|}~"):
		// Q would leave some of these as they are, which may not stand in a phrase.
		encoding = mime.BEncoding
	}
	return encoding.Encode("utf-8", a.Name) + " " + address
}

func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		if !isVisible(r) && !isBlank(r) {
			continue
		}
		if r == '"' || r == '\\' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	b.WriteByte('"')
	return b.String()
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' }

func isVisible(r rune) bool { return '!' <= r && r <= '~' || r >= 0x80 }

// isAtomic says whether a character can stand in an atom, or in one with dots.
func isAtomic(r rune, dots bool) bool {
	if r == '.' {
		return dots
	}
	return isVisible(r) && !strings.ContainsRune(`()<>[]:;@\,"`, r)
}
