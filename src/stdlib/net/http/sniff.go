package http

import (
	"bytes"
	"encoding/binary"
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
			return s.contentType
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
			return s.contentType
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
	begin       string
	contentType string
	gap         string
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
	{begin: "\x00\x00\x01\x00", contentType: "image/x-icon"},
	{begin: "\x00\x00\x02\x00", contentType: "image/x-icon"},
	{begin: "BM", contentType: "image/bmp"},
	{begin: "GIF87a", contentType: "image/gif"},
	{begin: "GIF89a", contentType: "image/gif"},
	{begin: "RIFF", gap: "WEBPVP", contentType: "image/webp"},
	{begin: "\x89PNG\x0d\x0a\x1a\x0a", contentType: "image/png"},
	{begin: "\xff\xd8\xff", contentType: "image/jpeg"},
	{begin: "FORM", gap: "AIFF", contentType: "audio/aiff"},
	{begin: "ID3", contentType: "audio/mpeg"},
	{begin: "OggS\x00", contentType: "application/ogg"},
	{begin: "MThd\x00\x00\x00\x06", contentType: "audio/midi"},
	{begin: "RIFF", gap: "AVI ", contentType: "video/avi"},
	{begin: "RIFF", gap: "WAVE", contentType: "audio/wave"},
}

// hasMark says whether a mark of the order of bytes comes first; it counts if there are four bytes.
func hasMark(data []byte, mark string) bool {
	return len(data) >= 4 && bytes.HasPrefix(data, []byte(mark))
}

var lateSignatures = []signature{
	{begin: "\x00\x01\x00\x00", contentType: "font/ttf"},
	{begin: "OTTO", contentType: "font/otf"},
	{begin: "ttcf", contentType: "font/collection"},
	{begin: "wOFF", contentType: "font/woff"},
	{begin: "wOF2", contentType: "font/woff2"},
	{begin: "\x1f\x8b\x08", contentType: "application/x-gzip"},
	{begin: "PK\x03\x04", contentType: "application/zip"},
	{begin: "Rar!\x1a\x07\x00", contentType: "application/x-rar-compressed"},
	{begin: "Rar!\x1a\x07\x01\x00", contentType: "application/x-rar-compressed"},
	{begin: "\x00asm", contentType: "application/wasm"},
}

// isOpenType says whether it is an embedded font.
func isOpenType(data []byte) bool { return len(data) >= 36 && string(data[34:36]) == "LP" }

// isMP4 says whether the first box names a brand of MP4.
func isMP4(data []byte) bool {
	if len(data) < 12 || string(data[4:8]) != "ftyp" {
		return false
	}
	size := int(binary.BigEndian.Uint32(data))
	if size > len(data) || size%4 != 0 {
		return false
	}
	for at := 8; at < size; at += 4 {
		if at != 12 && string(data[at:at+3]) == "mp4" {
			return true
		}
	}
	return false
}
