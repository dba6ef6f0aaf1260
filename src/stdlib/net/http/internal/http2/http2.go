// Package http2: what is on the wire of HTTP/2 (frames, the compression of headers, windows, and
// errors), for the connections of net/http. Programs cannot import it.
package http2

import (
	"errors"
	"fmt"
	"reflect"
)

const (
	// Preface is what a client says first.
	Preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

	// StartWindow is how many bytes may be sent as long as nobody has said anything.
	StartWindow = 1<<16 - 1
	// StartFrame is how long a frame may be as long as nobody has said anything, in bytes; nobody
	// may say less.
	StartFrame = 1 << 14
	// MaxFrame is how long a frame can be, in bytes.
	MaxFrame = 1<<24 - 1
	// StartTable is how large a table of HPACK is as long as nobody has said anything, in bytes.
	StartTable = startTable
)

// ErrCode says why a stream or a connection has ended.
type ErrCode uint32

const (
	NoError ErrCode = iota
	ProtocolError
	InternalError
	FlowControlError
	SettingsTimeout
	StreamClosed
	FrameSizeError
	RefusedStream
	Cancel
	CompressionError
	ConnectError
	EnhanceYourCalm
	InadequateSecurity
	HTTP11Required
)

var codeNames = [...]string{
	"NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
	"STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR",
	"CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
}

func (c ErrCode) String() string {
	if c < ErrCode(len(codeNames)) {
		return codeNames[c]
	}
	return fmt.Sprintf("unknown error code 0x%x", uint32(c))
}

// Token is the code as HTTP2Config.CountError is told it.
func (c ErrCode) Token() string {
	if c < ErrCode(len(codeNames)) {
		return codeNames[c]
	}
	return fmt.Sprintf("ERR_UNKNOWN_%d", uint32(c))
}

// ConnectionError is an error that ends the connection.
type ConnectionError ErrCode

func (e ConnectionError) Error() string { return "connection error: " + ErrCode(e).String() }

// StreamError is an error that ends one stream.
type StreamError struct {
	StreamID uint32
	Code     ErrCode
	Cause    error
}

func (e StreamError) Error() string {
	text := fmt.Sprintf("stream error: stream ID %d; %v", e.StreamID, e.Code)
	if e.Cause != nil {
		text += fmt.Sprintf("; %v", e.Cause)
	}
	return text
}

// As makes e a struct of the same fields, as golang.org/x/net/http2 has one.
func (e StreamError) As(target any) bool {
	to, from := reflect.ValueOf(target).Elem(), reflect.ValueOf(e)
	if to.Kind() != reflect.Struct || to.NumField() != from.NumField() {
		return false
	}
	// All of target changes, or nothing.
	made := reflect.New(to.Type()).Elem()
	for i := range from.NumField() {
		is, want := from.Type().Field(i), to.Type().Field(i)
		if is.Name != want.Name || !is.Type.ConvertibleTo(want.Type) {
			return false
		}
		made.Field(i).Set(from.Field(i).Convert(want.Type))
	}
	to.Set(made)
	return true
}

// GoAwayError says that the server has closed the connection after it has said GOAWAY.
type GoAwayError struct {
	LastStreamID uint32
	ErrCode      ErrCode
	DebugData    string
}

func (e GoAwayError) Error() string {
	return fmt.Sprintf("http2: server sent GOAWAY and closed the connection; "+
		"LastStreamID=%v, ErrCode=%v, debug=%q", e.LastStreamID, e.ErrCode, e.DebugData)
}

// ErrFromPeer is the cause of a StreamError that the other side has sent.
var ErrFromPeer = errors.New("received from peer")

// ErrFrameTooLarge says that a frame is longer than it may be.
var ErrFrameTooLarge = errors.New("http2: frame too large")

// IsBadCipher says whether RFC 9113, appendix A, forbids a suite of TLS 1.2, of those that are on
// offer here.
func IsBadCipher(suite uint16) bool {
	switch suite {
	case 0x0005, 0x000a, 0x002f, 0x0035, 0x003c, 0x009c, 0x009d, 0xc007, 0xc009, 0xc00a, 0xc011,
		0xc012, 0xc013, 0xc014, 0xc023, 0xc027:
		return true
	}
	return false
}

// SettingID is the number of a setting.
type SettingID uint16

const (
	HeaderTableSize       SettingID = 1
	EnablePush            SettingID = 2
	MaxConcurrentStreams  SettingID = 3
	InitialWindowSize     SettingID = 4
	MaxFrameSize          SettingID = 5
	MaxHeaderListSize     SettingID = 6
	EnableConnectProtocol SettingID = 8
	NoOldPriorities       SettingID = 9
)

// Setting is a setting, with its value.
type Setting struct {
	ID  SettingID
	Val uint32
}

// Valid is an error for a value that the setting cannot have.
func (s Setting) Valid() error {
	switch s.ID {
	case EnablePush, EnableConnectProtocol:
		if s.Val > 1 {
			return ConnectionError(ProtocolError)
		}
	case InitialWindowSize:
		if s.Val > maxWindow {
			return ConnectionError(FlowControlError)
		}
	case MaxFrameSize:
		if s.Val < StartFrame || s.Val > MaxFrame {
			return ConnectionError(ProtocolError)
		}
	}
	return nil
}
