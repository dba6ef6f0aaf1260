// Package png: pictures without loss, in chunks with checksums.
package png

// Kinds of color.
const (
	gray      = 0
	trueColor = 2
	paletted  = 3
	grayAlpha = 4
	trueAlpha = 6
)

const signature = "\x89PNG\r\n\x1a\n"

// samplesOf is how many samples a pixel has; 0: there are no such colors.
func samplesOf(kind int) int {
	switch kind {
	case gray, paletted:
		return 1
	case grayAlpha:
		return 2
	case trueColor:
		return 3
	case trueAlpha:
		return 4
	}
	return 0
}

type (
	FormatError      string
	UnsupportedError string
)

func (e FormatError) Error() string      { return "png: invalid format: " + string(e) }
func (e UnsupportedError) Error() string { return "png: unsupported feature: " + string(e) }

const errOrder = FormatError("chunk out of order")

// Rows begin with the number of the filter that was used on them.

// unfilter undoes the filter of a row, in which the same bytes of two pixels have that distance.
// The row before is there without its filter. False: there is no such filter.
func unfilter(row, before []byte, distance int) bool

// filter writes into rows, one for each filter, what they make of row, and says which promises the
// least data.
func filter(rows []byte, row, before []byte, distance int) (best int)

const filters = 5
