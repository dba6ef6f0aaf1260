package http2

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// FrameType is the kind of a frame.
type FrameType uint8

const (
	Data FrameType = iota
	Headers
	Priority
	RSTStream
	Settings
	PushPromise
	Ping
	GoAway
	WindowUpdate
	Continuation
	PriorityUpdate FrameType = 0x10
)

// Flags of frames; which of them there are depends on the type.
const (
	Ack         = 0x1
	EndStream   = 0x1
	EndHeaders  = 0x4
	Padded      = 0x8
	HasPriority = 0x20
)

const headLen = 9

// Frame is a frame as it was read. It is good until the next one is read.
type Frame struct {
	Type     FrameType
	Flags    uint8
	StreamID uint32
	// Length is that of what follows the head, with padding.
	Length uint32
	// Data is what a frame of data carries, or a part of a header, or what a GOAWAY says besides.
	Data []byte
	// Code is that of RST_STREAM or GOAWAY.
	Code ErrCode
	// Other is the last stream of a GOAWAY, the stream on which one depends, that which is promised
	// or has a new priority, or what a window grows by.
	Other uint32
	// Settings are those of a frame of them.
	Settings []Setting
	// Fields are the header, with all its continuations; not all of them if it was too long.
	Fields    []Field
	Truncated bool
	// Text is what PRIORITY_UPDATE says.
	Text string
}

// Has says whether all of the flags are set.
func (f *Frame) Has(flags uint8) bool { return f.Flags&flags == flags }

// Pseudo is the value of a field of the first line, without the colon in its name.
func (f *Frame) Pseudo(name string) string {
	for _, field := range f.Fields {
		if !field.IsPseudo() {
			break
		}
		if field.Name[1:] == name {
			return field.Value
		}
	}
	return ""
}

// Regular are the fields that belong to the header itself.
func (f *Frame) Regular() []Field {
	for i, field := range f.Fields {
		if !field.IsPseudo() {
			return f.Fields[i:]
		}
	}
	return nil
}

// Name is what Go calls frames of the type.
func (f *Frame) Name() string {
	names := [...]string{
		"DataFrame", "MetaHeadersFrame", "PriorityFrame", "RSTStreamFrame", "SettingsFrame",
		"PushPromiseFrame", "PingFrame", "GoAwayFrame", "WindowUpdateFrame", "ContinuationFrame",
	}
	switch {
	case int(f.Type) < len(names):
		return "*http2." + names[f.Type]
	case f.Type == PriorityUpdate:
		return "*http2.PriorityUpdateFrame"
	}
	return "*http2.UnknownFrame"
}

// Reader reads frames.
type Reader struct {
	// Count is told of what is wrong, unless it is nil.
	Count func(what string)
	// MaxList limits a header, in bytes by Field.Size, and MaxFields the number of its fields, if it
	// is not 0.
	MaxList   uint32
	MaxFields int

	in      io.Reader
	longest uint32
	fields  *Decoder
	head    [headLen]byte
	buf     []byte
	frame   Frame
	// The stream whose header goes on.
	unended uint32
}

// NewReader makes a reader of frames of at most longest bytes, with a table for headers of so many
// bytes.
func NewReader(in io.Reader, longest, table uint32) *Reader {
	return &Reader{in: in, longest: longest, fields: NewDecoder(table)}
}

func (r *Reader) count(what string, err error) error {
	if r.Count != nil {
		r.Count(what)
	}
	return err
}

const (
	badProtocol = ConnectionError(ProtocolError)
	badSize     = ConnectionError(FrameSizeError)
)

// Read reads a frame, and all of a header. With a StreamError one can go on. The frame is nil with
// an error, unless the error is of a header that has been read.
func (r *Reader) Read() (*Frame, error) {
	f, err := r.read()
	if err == nil && f.Type == Headers {
		return r.readHeader(f)
	}
	return f, err
}

func (r *Reader) read() (*Frame, error) {
	if _, err := io.ReadFull(r.in, r.head[:]); err != nil {
		return nil, err
	}
	h := r.head
	f := &r.frame
	*f = Frame{
		Type:     FrameType(h[3]),
		Flags:    h[4],
		StreamID: binary.BigEndian.Uint32(h[5:]) & maxWindow,
		Length:   uint32(h[0])<<16 | uint32(h[1])<<8 | uint32(h[2]),
	}
	looksOld := string(h[:]) == "HTTP/1.1 "
	old := func(err error) error {
		if looksOld {
			err = fmt.Errorf("http2: failed reading the frame payload: %w, "+
				"note that the frame header looked like an HTTP/1.1 header", err)
		}
		return err
	}
	if f.Length > r.longest {
		return nil, old(ErrFrameTooLarge)
	}
	// Nothing may come between the parts of a header.
	if r.unended != 0 {
		if f.Type != Continuation || f.StreamID != r.unended {
			return nil, badProtocol
		}
	} else if f.Type == Continuation {
		return nil, badProtocol
	}
	if f.Type == Headers || f.Type == Continuation {
		r.unended = f.StreamID
		if f.Has(EndHeaders) {
			r.unended = 0
		}
	}
	if cap(r.buf) < int(f.Length) {
		r.buf = make([]byte, f.Length)
	}
	p := r.buf[:f.Length]
	if _, err := io.ReadFull(r.in, p); err != nil {
		return nil, old(err)
	}
	if err := r.parse(f, p); err != nil {
		return nil, err
	}
	return f, nil
}

// parse reads what follows the head.
func (r *Reader) parse(f *Frame, p []byte) error {
	number := func() uint32 { return binary.BigEndian.Uint32(p) }
	switch f.Type {
	case Data:
		if f.StreamID == 0 {
			return r.count("frame_data_stream_0", badProtocol)
		}
		return r.parseData(f, p)
	case Headers:
		return r.parseHeaders(f, p)
	case Priority:
		if f.StreamID == 0 {
			return r.count("frame_priority_zero_stream", badProtocol)
		}
		if len(p) != 5 {
			return r.count("frame_priority_bad_length", badSize)
		}
		f.Other = number() & maxWindow
	case RSTStream:
		if len(p) != 4 {
			return r.count("frame_rststream_bad_len", badSize)
		}
		if f.StreamID == 0 {
			return r.count("frame_rststream_zero_stream", badProtocol)
		}
		f.Code = ErrCode(number())
	case Settings:
		return r.parseSettings(f, p)
	case PushPromise:
		return r.parsePromise(f, p)
	case Ping:
		if len(p) != 8 {
			return r.count("frame_ping_length", badSize)
		}
		if f.StreamID != 0 {
			return r.count("frame_ping_has_stream", badProtocol)
		}
		f.Data = p
	case GoAway:
		if f.StreamID != 0 {
			return r.count("frame_goaway_has_stream", badProtocol)
		}
		if len(p) < 8 {
			return r.count("frame_goaway_short", badSize)
		}
		f.Other = number() & maxWindow
		f.Code = ErrCode(binary.BigEndian.Uint32(p[4:]))
		f.Data = p[8:]
	case WindowUpdate:
		if len(p) != 4 {
			return r.count("frame_windowupdate_bad_len", badSize)
		}
		f.Other = number() & maxWindow
		if f.Other == 0 && f.StreamID == 0 {
			return r.count("frame_windowupdate_zero_inc_conn", badProtocol)
		}
		if f.Other == 0 {
			return r.count("frame_windowupdate_zero_inc_stream",
				StreamError{StreamID: f.StreamID, Code: ProtocolError})
		}
	case Continuation:
		if f.StreamID == 0 {
			return r.count("frame_continuation_zero_stream", badProtocol)
		}
		f.Data = p
	case PriorityUpdate:
		if f.StreamID != 0 {
			return r.count("frame_priority_update_non_zero_stream", badProtocol)
		}
		if len(p) < 4 {
			return r.count("frame_priority_update_bad_length", badSize)
		}
		if f.Other = number() & maxWindow; f.Other == 0 {
			return r.count("frame_priority_update_prioritizing_zero_stream", badProtocol)
		}
		f.Text = string(p[4:])
	}
	return nil
}

// padding takes the number off that says how long the padding is, if there is any. `what` is the
// frame's name in the event of its not being there.
func (r *Reader) padding(f *Frame, p []byte, what string) (pad int, rest []byte, err error) {
	if !f.Has(Padded) {
		return 0, p, nil
	}
	if len(p) == 0 {
		return 0, nil, r.count("frame_"+what+"_short", io.ErrUnexpectedEOF)
	}
	return int(p[0]), p[1:], nil
}

func (r *Reader) parseData(f *Frame, p []byte) error {
	pad, p, err := r.padding(f, p, "data_pad_byte")
	if err != nil {
		return err
	}
	if pad > len(p) {
		return r.count("frame_data_pad_too_big", badProtocol)
	}
	f.Data = p[:len(p)-pad]
	return nil
}

func (r *Reader) parseHeaders(f *Frame, p []byte) error {
	if f.StreamID == 0 {
		return r.count("frame_headers_zero_stream", badProtocol)
	}
	pad, p, err := r.padding(f, p, "headers_pad")
	if err != nil {
		return err
	}
	if f.Has(HasPriority) {
		if len(p) < 4 {
			return r.count("frame_headers_prio_short", io.ErrUnexpectedEOF)
		}
		if len(p) < 5 {
			return r.count("frame_headers_prio_weight_short", io.ErrUnexpectedEOF)
		}
		f.Other = binary.BigEndian.Uint32(p) & maxWindow
		p = p[5:]
	}
	if pad > len(p) {
		return r.count("frame_headers_pad_too_big",
			StreamError{StreamID: f.StreamID, Code: ProtocolError})
	}
	f.Data = p[:len(p)-pad]
	return nil
}

func (r *Reader) parseSettings(f *Frame, p []byte) error {
	switch {
	case f.Has(Ack) && len(p) > 0:
		return r.count("frame_settings_ack_with_length", badSize)
	case f.StreamID != 0:
		return r.count("frame_settings_has_stream", badProtocol)
	case len(p)%6 != 0:
		return r.count("frame_settings_mod_6", badSize)
	}
	sawWindow := false
	for ; len(p) > 0; p = p[6:] {
		s := Setting{SettingID(binary.BigEndian.Uint16(p)), binary.BigEndian.Uint32(p[2:])}
		if s.ID == InitialWindowSize && !sawWindow {
			sawWindow = true
			if s.Val > maxWindow {
				return r.count("frame_settings_window_size_too_big",
					ConnectionError(FlowControlError))
			}
		}
		f.Settings = append(f.Settings, s)
	}
	return nil
}

func (r *Reader) parsePromise(f *Frame, p []byte) error {
	if f.StreamID == 0 {
		return r.count("frame_pushpromise_zero_stream", badProtocol)
	}
	pad, p, err := r.padding(f, p, "pushpromise_pad")
	if err != nil {
		return err
	}
	if len(p) < 4 {
		return r.count("frame_pushpromise_promiseid_short", io.ErrUnexpectedEOF)
	}
	f.Other = binary.BigEndian.Uint32(p) & maxWindow
	if pad > len(p)-4 {
		return r.count("frame_pushpromise_pad_too_big", badProtocol)
	}
	f.Data = p[4 : len(p)-pad]
	return nil
}

// SameSettings says whether a setting is there twice.
func (f *Frame) SameSettings() bool {
	seen := make(map[SettingID]bool, len(f.Settings))
	for _, s := range f.Settings {
		if seen[s.ID] {
			return true
		}
		seen[s.ID] = true
	}
	return false
}

// budget is what is left for a header.
type budget struct {
	size   uint32
	fields int
}

// readHeader decodes a header, and reads its continuations.
func (r *Reader) readHeader(f *Frame) (*Frame, error) {
	// Names of trailers have a budget of their own.
	header, trailer := budget{size: r.MaxList}, budget{size: r.MaxList}
	if r.MaxList == 0 {
		header.size, trailer.size = 16<<20, 16<<20
	}
	var fields []Field
	var invalid error
	sawRegular, isTooLong := false, false
	d := r.fields
	d.begin(int(header.size), func(field Field) {
		if !isValue(field.Value) {
			invalid = fmt.Errorf("invalid header field value for %q", field.Name)
		}
		if field.IsPseudo() {
			if sawRegular {
				invalid = errors.New("pseudo header field after regular")
			}
		} else {
			sawRegular = true
			if !IsName(field.Name) {
				invalid = fmt.Errorf("invalid header field name %q", field.Name)
			}
		}
		if invalid != nil {
			d.skips = true
			return
		}
		b, size, n := &header, field.Size(), 1
		if field.Name == "trailer" {
			b = &trailer
			n = strings.Count(field.Value, ",") + 1
			size = uint32(len(field.Value)-n+1) + uint32(n)*Field{}.Size()
		}
		b.fields += n
		if r.MaxFields > 0 && b.fields > r.MaxFields || size > b.size {
			d.skips = true
			isTooLong = true
			header.size, trailer.size = 0, 0
			return
		}
		b.size -= size
		fields = append(fields, field)
	})
	head := *f
	// Whatever comes, the frame is that of the beginning.
	whole := func() *Frame {
		*f = head
		f.Data, f.Fields, f.Truncated = nil, fields, isTooLong
		return f
	}
	for {
		// Who sends more than twice what would be taken, or goes on behind what is wrong, is not
		// listened to.
		if int64(len(f.Data)) > 2*int64(header.size+trailer.size) || invalid != nil {
			return whole(), badProtocol
		}
		if err := d.write(f.Data); err != nil {
			return whole(), ConnectionError(CompressionError)
		}
		if f.Has(EndHeaders) {
			break
		}
		var err error
		if f, err = r.read(); err != nil {
			return nil, err
		}
	}
	f = whole()
	if d.end() != nil {
		return f, ConnectionError(CompressionError)
	}
	if invalid == nil {
		invalid = checkFirstLine(fields)
	}
	if invalid != nil {
		return nil, StreamError{f.StreamID, ProtocolError, invalid}
	}
	return f, nil
}

// pseudoNames are the fields of the first line: that of an answer, and those of a request.
var pseudoNames = [...]string{":status", ":method", ":path", ":scheme", ":authority", ":protocol"}

// checkFirstLine says what is wrong with the fields of the first line, which come before others.
func checkFirstLine(fields []Field) error {
	seen := 0 // a bit of each
	for _, f := range fields {
		if !f.IsPseudo() {
			break
		}
		i := slices.Index(pseudoNames[:], f.Name)
		if i < 0 {
			return fmt.Errorf("invalid pseudo-header %q", f.Name)
		}
		if seen>>i&1 != 0 {
			return fmt.Errorf("duplicate pseudo-header %q", f.Name)
		}
		seen |= 1 << i
	}
	if seen&1 != 0 && seen != 1 {
		return errors.New("mix of request and response pseudo headers")
	}
	return nil
}

// IsName says whether a field can have the name: a token in lower case.
func IsName(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-':
		case c <= ' ' || c >= 0x7f || 'A' <= c && c <= 'Z':
			return false
		case strings.IndexByte("\"(),/:;<=>?@[\\]{}", c) >= 0:
			return false
		}
	}
	return s != ""
}

func isValue(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// appendHead appends the head of a frame of n bytes.
func appendHead(b []byte, n int, t FrameType, flags uint8, stream uint32) []byte {
	b = append(b, byte(n>>16), byte(n>>8), byte(n), byte(t), flags)
	return binary.BigEndian.AppendUint32(b, stream)
}

// AppendData appends a frame of data.
func AppendData(b []byte, stream uint32, data []byte, ends bool) []byte {
	var flags uint8
	if ends {
		flags = EndStream
	}
	return append(appendHead(b, len(data), Data, flags, stream), data...)
}

// AppendHeaders appends a header, in frames of at most longest bytes.
func AppendHeaders(b []byte, stream uint32, block []byte, ends bool, longest int) []byte {
	var flags uint8
	if ends {
		flags = EndStream
	}
	return appendBlock(b, Headers, flags, stream, nil, block, longest)
}

// AppendPromise appends a header that is promised for another stream.
func AppendPromise(b []byte, stream, promised uint32, block []byte) []byte {
	before := binary.BigEndian.AppendUint32(nil, promised)
	return appendBlock(b, PushPromise, 0, stream, before, block, StartFrame)
}

func appendBlock(
	b []byte, t FrameType, flags uint8, stream uint32, before, block []byte, longest int,
) []byte {
	for {
		part := block[:min(len(block), longest)]
		if block = block[len(part):]; len(block) == 0 {
			flags |= EndHeaders
		}
		b = appendHead(b, len(before)+len(part), t, flags, stream)
		b = append(append(b, before...), part...)
		if len(block) == 0 {
			return b
		}
		t, flags, before = Continuation, 0, nil
	}
}

// AppendSettings appends settings.
func AppendSettings(b []byte, settings ...Setting) []byte {
	b = appendHead(b, 6*len(settings), Settings, 0, 0)
	for _, s := range settings {
		b = binary.BigEndian.AppendUint16(b, uint16(s.ID))
		b = binary.BigEndian.AppendUint32(b, s.Val)
	}
	return b
}

// AppendSettingsAck appends that the settings of the other side hold.
func AppendSettingsAck(b []byte) []byte { return appendHead(b, 0, Settings, Ack, 0) }

// AppendPing appends a ping, or the answer to one.
func AppendPing(b []byte, isAnswer bool, data []byte) []byte {
	var flags uint8
	if isAnswer {
		flags = Ack
	}
	return append(appendHead(b, len(data), Ping, flags, 0), data...)
}

// AppendGoAway appends that the connection ends, and that the last stream is handled.
func AppendGoAway(b []byte, last uint32, code ErrCode, why string) []byte {
	b = appendHead(b, 8+len(why), GoAway, 0, 0)
	b = binary.BigEndian.AppendUint32(b, last)
	b = binary.BigEndian.AppendUint32(b, uint32(code))
	return append(b, why...)
}

// AppendReset appends that a stream has ended.
func AppendReset(b []byte, stream uint32, code ErrCode) []byte {
	return binary.BigEndian.AppendUint32(appendHead(b, 4, RSTStream, 0, stream), uint32(code))
}

// AppendWindow appends that n more bytes may be sent over the stream, or the connection for 0.
func AppendWindow(b []byte, stream, n uint32) []byte {
	return binary.BigEndian.AppendUint32(appendHead(b, 4, WindowUpdate, 0, stream), n)
}
