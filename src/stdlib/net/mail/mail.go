// Package mail: messages with their headers, addresses and dates (RFC 5322, 6532).
//
// This file has messages, headers, dates, and how an address is written. Addresses are read in two
// steps: tokens.go cuts the text into tokens, parser.go has the grammar over them.
package mail

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/textproto"
	"strings"
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
	in := bufio.NewReader(r)
	msg = &Message{make(Header), in}
	err = msg.Header.read(textproto.NewReader(in))
	if err == io.EOF && len(msg.Header) > 0 {
		err = nil // only the body is missing
	}
	if err != nil {
		return nil, err
	}
	return msg, nil
}

// read reads all fields, and the empty line behind them.
func (h Header) read(in *textproto.Reader) (err error) {
	if c, _ := in.R.Peek(1); string(c) == " " || string(c) == "\t" {
		// There is nothing that this line could continue.
		line, err := in.ReadLine()
		if err == nil {
			err = fmt.Errorf("malformed initial line: %q", line)
		}
		return err
	}
	for line := ""; err == nil; {
		if line, err = in.ReadContinuedLine(); line == "" {
			return err
		}
		if bad := h.add(line); bad != nil {
			return bad
		}
	}
	return err
}

// add adds the field of a line.
func (h Header) add(line string) error {
	colon := strings.IndexByte(line, ':')
	if colon < 0 {
		return fmt.Errorf("malformed header line: %q", line)
	}
	if name := textproto.CanonicalMIMEHeaderKey(line[:colon]); name != "" {
		h[name] = append(h[name], strings.TrimLeft(line[colon+1:], blanks))
	}
	return nil
}

// AddressList is the value of a field such as To.
func (h Header) AddressList(key string) ([]*Address, error) {
	if list := h.Get(key); list != "" {
		return ParseAddressList(list)
	}
	return nil, ErrHeaderNotPresent
}

// Date is the value of the field Date.
func (h Header) Date() (time.Time, error) {
	if date := h.Get("Date"); date != "" {
		return ParseDate(date)
	}
	return time.Time{}, ErrHeaderNotPresent
}

// Get is the first value of a field, or "".
func (h Header) Get(key string) string { return textproto.MIMEHeader(h).Get(key) }

// ParseDate reads a date, behind which there may be comments.
func ParseDate(date string) (time.Time, error) {
	date = strings.ReplaceAll(date, "\r\n", "")
	if strings.IndexByte(date, '\r') >= 0 {
		return time.Time{}, errors.New("mail: header has a CR without LF")
	}
	// Blanks may stand before a date only if its end is known.
	rest := strings.TrimLeft(date, blanks)
	if end := endOfZone(rest); end > 0 {
		date, rest = rest[:end], rest[end:]
	}
	if !areComments(rest) {
		return time.Time{}, errComment
	}
	t, err := time.Parse(layoutOf(date), date)
	if err != nil {
		return time.Time{}, errors.New("mail: header could not be parsed")
	}
	return t, nil
}

// endOfZone is where a date ends if more comes behind it, else 0: its zone is +0100, or a name of
// which the last letter is T. A T that is the first letter of all is that of a day.
func endOfZone(date string) int {
	if sign := strings.IndexAny(date, "+-"); sign >= 0 && sign+5 <= len(date) {
		return sign + 5
	}
	if date == "" {
		return 0
	}
	if t := 1 + strings.IndexByte(date[1:], 'T'); t > 0 && t+5 <= len(date) {
		return t + 1
	}
	return 0
}

// layoutOf finds the only one of the forms of dates (RFC 5322, obsolete ones too) that this date
// might have: the day of the week and seconds may be missing, years have four digits or two.
func layoutOf(date string) string {
	fields := strings.Fields(date)
	week, year, seconds, zone := "", "2006", "", "MST"
	if date != "" && !('0' <= date[0] && date[0] <= '9') {
		week = "Mon, "
		fields = fields[min(1, len(fields)):]
	}
	if len(fields) > 2 && len(fields[2]) == 2 {
		year = "06"
	}
	if strings.Count(date, ":") > 1 {
		seconds = ":05"
	}
	if len(fields) > 0 {
		switch last := fields[len(fields)-1]; {
		case last == "UT":
			zone = last
		case len(last) == 5 && (last[0] == '+' || last[0] == '-'):
			zone = "-0700"
		}
	}
	return week + "2 Jan " + year + " 15:04" + seconds + " " + zone
}

// An Address is a name, which may be missing, and local@domain.
type Address struct {
	Name    string
	Address string
}

// ParseAddress reads one address.
func ParseAddress(address string) (*Address, error) {
	return new(AddressParser).Parse(address)
}

// ParseAddressList reads addresses, and groups of them, between commas.
func ParseAddressList(list string) ([]*Address, error) {
	return new(AddressParser).ParseList(list)
}

// An AddressParser reads addresses with encoded words as its decoder does.
type AddressParser struct {
	WordDecoder *mime.WordDecoder
}

// Parse reads one address.
func (p *AddressParser) Parse(address string) (*Address, error) {
	return newParser(address, p.WordDecoder).only()
}

// ParseList reads addresses, and groups of them, between commas.
func (p *AddressParser) ParseList(list string) ([]*Address, error) {
	return newParser(list, p.WordDecoder).list()
}

// String is the address as it stands in a message.
func (a *Address) String() string {
	at := strings.LastIndexByte(a.Address, '@')
	local, domain := a.Address, "@"
	if at >= 0 {
		local, domain = a.Address[:at], a.Address[at:]
	}
	if !isDotted(local) {
		local = quote(local)
	}
	spec := "<" + local + domain + ">"
	if a.Name == "" {
		return spec
	}
	return asPhrase(a.Name) + " " + spec
}

// isDotted says whether text is words of atomic characters with dots between them, or nothing.
func isDotted(text string) bool {
	for word := range strings.SplitSeq(text, ".") {
		if word == "" && text != "" || strings.ContainsFunc(word, isSpecial) {
			return false
		}
	}
	return true
}

// asPhrase is a name as it stands before an address: between quotes if all of it is plain, else
// encoded. The encoding Q would leave some characters as they are which may not stand in a phrase.
func asPhrase(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 || !isText(r) }) {
		return quote(name)
	}
	if strings.ContainsAny(name, "\"#$%&'(),.:;<>@[]^`{|}~") {
		return mime.BEncoding.Encode("utf-8", name)
	}
	return mime.QEncoding.Encode("utf-8", name)
}

// quote puts text between quotes, without what may not stand there.
func quote(text string) string {
	text = strings.Map(func(r rune) rune {
		if isText(r) {
			return r
		}
		return -1
	}, text)
	text = strings.ReplaceAll(text, `\`, `\\`)
	return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"`
}
