// Package gif: pictures, one or several after another, with palettes of 256 colors at most.
package gif

import (
	"image"
)

const (
	DisposalNone       = 0x01
	DisposalBackground = 0x02
	DisposalPrevious   = 0x03
)

type GIF struct {
	Image           []*image.Paletted
	Delay           []int // in hundredths of seconds
	LoopCount       int
	Disposal        []byte
	Config          image.Config
	BackgroundIndex byte
}

// Parts of a file.
const (
	partExtension = 0x21
	partPicture   = 0x2c
	partEnd       = 0x3b
)

// Kinds of extensions.
const (
	extText        = 0x01
	extControl     = 0xf9
	extComment     = 0xfe
	extApplication = 0xff
)

// Bits of the fields of a screen or a picture, and of a control.
const (
	hasColors      = 1 << 7
	isInterlaced   = 1 << 6
	colorBits      = 7
	isTransparent  = 1
	disposalShift  = 2
	disposalBits   = 7
	loopExtension  = "NETSCAPE2.0"
	maxColorsTotal = 256
)
