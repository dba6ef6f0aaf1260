package http

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
)

// What files begin with: https://mimesniff.spec.whatwg.org/.

const sniffed = 512

// DetectContentType guesses the type of data by its first bytes.
func DetectContentType(data []byte) string {
	data = data[:min(len(data), sniffed)]
	text := bytes.TrimLeft(data, "\t\n\x0c\r ")
	isTagged := len(text) > 0 && text[0] == '<'
	if !isTagged && (len(data) == 0 || strings.IndexByte(firsts, data[0]) < 0) {
		// Mostly: nothing else can be found.
		switch {
		case isMP4(data):
			return "video/mp4"
		case isOpenType(data):
			return "application/vnd.ms-fontobject"
		}
		return textOrNot(text)
	}
	if isHTML(text) {
		return "text/html; charset=utf-8"
	}
	if bytes.HasPrefix(text, []byte("<?xml")) {
		return "text/xml; charset=utf-8"
	}
	switch {
	case bytes.HasPrefix(data, []byte("%PDF-")):
		return "application/pdf"
	case bytes.HasPrefix(data, []byte("%!PS-Adobe-")):
		return "application/postscript"
	case hasMark(data, "\xfe\xff"):
		return "text/plain; charset=utf-16be"
	case hasMark(data, "\xff\xfe"):
		return "text/plain; charset=utf-16le"
	case hasMark(data, "\xef\xbb\xbf"):
		return "text/plain; charset=utf-8"
	}
	for _, s := range signatures {
		if s.fits(data) {
			return s.kind
		}
	}
	if isMP4(data) {
		return "video/mp4"
	}
	if bytes.HasPrefix(data, []byte("\x1a\x45\xdf\xa3")) {
		return "video/webm"
	}
	if isOpenType(data) {
		return "application/vnd.ms-fontobject"
	}
	for _, s := range lateSignatures {
		if s.fits(data) {
			return s.kind
		}
	}
	return textOrNot(text)
}

// textOrNot is the type of what has no mark of its own.
func textOrNot(data []byte) string {
	if isText(data) {
		return "text/plain; charset=utf-8"
	}
	return "application/octet-stream"
}

func isText(data []byte) bool

// firsts has the bytes that begin what is looked for, but for HTML and XML.
const firsts = "\x00\x1a\x1f%BFGIMOPRtw\x89\xef\xfe\xff"

// isHTML says whether a tag of HTML comes first, whatever its case.
func isHTML(text []byte) bool {
	for _, tag := range []string{
		"<!DOCTYPE HTML", "<HTML", "<HEAD", "<SCRIPT", "<IFRAME", "<H1", "<DIV", "<FONT", "<TABLE", "<A",
		"<STYLE", "<TITLE", "<B", "<BODY", "<BR", "<P", "<!--",
	} {
		if len(text) <= len(tag) || text[len(tag)] != ' ' && text[len(tag)] != '>' {
			continue
		}
		fits := true
		for i := range len(tag) {
			c := text[i]
			if 'A' <= tag[i] && tag[i] <= 'Z' {
				c &= 0xdf
			}
			fits = fits && c == tag[i]
		}
		if fits {
			return true
		}
	}
	return false
}

// signature is what files of a type begin with. Where there are gaps any byte may stand.
type signature struct {
	begin string
	kind  string
	gap   string
}

// fits looks past the gap: so many bytes behind begin there must be this.
func (s signature) fits(data []byte) bool {
	rest, ok := bytes.CutPrefix(data, []byte(s.begin))
	if !ok || s.gap == "" {
		return ok
	}
	const between = 4
	return len(rest) >= between && bytes.HasPrefix(rest[between:], []byte(s.gap))
}

var signatures = []signature{
	{begin: "\x00\x00\x01\x00", kind: "image/x-icon"},
	{begin: "\x00\x00\x02\x00", kind: "image/x-icon"},
	{begin: "BM", kind: "image/bmp"},
	{begin: "GIF87a", kind: "image/gif"},
	{begin: "GIF89a", kind: "image/gif"},
	{begin: "RIFF", gap: "WEBPVP", kind: "image/webp"},
	{begin: "\x89PNG\x0d\x0a\x1a\x0a", kind: "image/png"},
	{begin: "\xff\xd8\xff", kind: "image/jpeg"},
	{begin: "FORM", gap: "AIFF", kind: "audio/aiff"},
	{begin: "ID3", kind: "audio/mpeg"},
	{begin: "OggS\x00", kind: "application/ogg"},
	{begin: "MThd\x00\x00\x00\x06", kind: "audio/midi"},
	{begin: "RIFF", gap: "AVI ", kind: "video/avi"},
	{begin: "RIFF", gap: "WAVE", kind: "audio/wave"},
}

// hasMark says whether a mark of the order of bytes comes first; it counts if there are four bytes.
func hasMark(data []byte, mark string) bool {
	return len(data) >= 4 && bytes.HasPrefix(data, []byte(mark))
}

var lateSignatures = []signature{
	{begin: "\x00\x01\x00\x00", kind: "font/ttf"},
	{begin: "OTTO", kind: "font/otf"},
	{begin: "ttcf", kind: "font/collection"},
	{begin: "wOFF", kind: "font/woff"},
	{begin: "wOF2", kind: "font/woff2"},
	{begin: "\x1f\x8b\x08", kind: "application/x-gzip"},
	{begin: "PK\x03\x04", kind: "application/zip"},
	{begin: "Rar!\x1a\x07\x00", kind: "application/x-rar-compressed"},
	{begin: "Rar!\x1a\x07\x01\x00", kind: "application/x-rar-compressed"},
	{begin: "\x00asm", kind: "application/wasm"},
}

// isOpenType says whether it is an embedded font.
func isOpenType(data []byte) bool { return len(data) >= 36 && string(data[34:36]) == "LP" }

// isMP4 says whether the first box names a brand of MP4: the main one, or, behind its version, one of
// those that fit, too.
func isMP4(data []byte) bool {
	if len(data) < 12 || string(data[4:8]) != "ftyp" {
		return false
	}
	size := binary.BigEndian.Uint32(data)
	if size < 12 || size%4 != 0 || int64(size) > int64(len(data)) {
		return false
	}
	mp4 := []byte("mp4")
	if bytes.HasPrefix(data[8:], mp4) {
		return true
	}
	for brand := range slices.Chunk(data[min(16, size):size], 4) {
		if bytes.HasPrefix(brand, mp4) {
			return true
		}
	}
	return false
}
