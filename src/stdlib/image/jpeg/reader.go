// Package jpeg: pictures with loss, by the cosines of blocks of eight by eight. ITU-T T.81.
package jpeg

import (
	"image"
	"image/color"
	"io"
)

//go:effect image.formats
func init() { image.RegisterFormat("jpeg", "\xff\xd8", Decode, DecodeConfig) }

type (
	FormatError      string
	UnsupportedError string
)

func (e FormatError) Error() string      { return "invalid JPEG format: " + string(e) }
func (e UnsupportedError) Error() string { return "unsupported JPEG feature: " + string(e) }

const errRatio = UnsupportedError("luma/chroma subsampling ratio")

type Reader interface {
	io.ByteReader
	io.Reader
}

// Markers of parts.
const (
	markNone        = -1
	markFrame       = 0xc0
	markExtended    = 0xc1
	markProgressive = 0xc2
	markCodes       = 0xc4
	markRestart     = 0xd0 // the first of eight
	markStart       = 0xd8
	markEnd         = 0xd9
	markScan        = 0xda
	markQuant       = 0xdb
	markInterval    = 0xdd
	markApp         = 0xe0 // the first of sixteen
	markAdobe       = 0xee
	markComment     = 0xfe
)

const (
	perBlock       = 64
	mostComponents = 4
	bufSize        = 4096

	// tableWords is the size of a table of codes as scan has it; the words after the count and the
	// quick look-up are the values, then of each length the least code, the greatest, and where
	// its values begin.
	tableWords = 1 + 256 + 256 + 3*16
	atQuick    = 1
	atValues   = atQuick + 256
	atLeast    = atValues + 256
	atGreatest = atLeast + 16
	atIndex    = atGreatest + 16
)

type component struct {
	id     byte
	h, v   int // samples of a unit
	quant  int // its table
	expand image.Point
}

type decoder struct {
	r      io.Reader
	buf    []byte // read, not yet used
	end    error  // of reading
	recent []byte // the last bytes that a scan has used

	width, height        int
	comps                []component
	mostAcross, mostDown int
	isBaseline           bool
	isProgressive        bool
	interval             int
	run                  int32 // blocks that the last scan said have no more coefficients
	isJFIF               bool
	hasAdobe             bool
	adobe                byte // how colors were transformed

	tables []int32 // of codes, eight
	quant  [4][]int32

	gray  *image.Gray
	color *image.YCbCr
	black []byte
	flex  bool // samples are repeated, since no kind of picture has such ratios

	coefficients [mostComponents][]int32 // of progressive scans
}

// more reads some.
func (d *decoder) more() error {
	if d.end != nil {
		return d.failure()
	}
	p := make([]byte, bufSize)
	for {
		n, err := d.r.Read(p)
		d.buf = append(d.buf, p[:n]...)
		d.end = err
		if n > 0 {
			return nil
		}
		if err != nil {
			return d.failure()
		}
	}
}

// failure is why there is no more input.
func (d *decoder) failure() error {
	if d.end == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return d.end
}

// take takes n bytes.
func (d *decoder) take(n int) ([]byte, error) {
	for len(d.buf) < n {
		if err := d.more(); err != nil {
			return nil, err
		}
	}
	p := d.buf[:n:n]
	d.buf = d.buf[n:]
	return p, nil
}

func (d *decoder) skip(n int) error {
	for n > len(d.buf) {
		n -= len(d.buf)
		d.buf = nil
		if err := d.more(); err != nil {
			return err
		}
	}
	d.buf = d.buf[n:]
	return nil
}

func (d *decoder) byte() (byte, error) {
	p, err := d.take(1)
	if err != nil {
		return 0, err
	}
	return p[0], nil
}

func (d *decoder) frame(n int) error {
	if d.comps != nil {
		return FormatError("multiple SOF markers")
	}
	count := (n - 6) / 3
	if n != 6+3*count || count != 1 && count != 3 && count != 4 {
		return UnsupportedError("number of components")
	}
	d.comps = make([]component, count)
	p, err := d.take(n)
	if err != nil {
		return err
	}
	if p[0] != 8 {
		return UnsupportedError("precision")
	}
	d.height, d.width = int(p[1])<<8|int(p[2]), int(p[3])<<8|int(p[4])
	if int(p[5]) != count {
		return FormatError("SOF has wrong length")
	}
	for i := range d.comps {
		c := &d.comps[i]
		q := p[6+3*i:]
		c.id, c.quant = q[0], int(q[2])
		for _, other := range d.comps[:i] {
			if other.id == c.id {
				return FormatError("repeated component identifier")
			}
		}
		if c.quant > 3 {
			return FormatError("bad Tq value")
		}
		c.h, c.v = int(q[1]>>4), int(q[1]&15)
		if c.h < 1 || c.h > 4 || c.v < 1 || c.v > 4 {
			return FormatError("luma/chroma subsampling ratio")
		}
		if c.h == 3 || c.v == 3 || count == 4 && !d.isFour(i, int(q[1])) {
			return errRatio
		}
		if count == 1 {
			// A lone component has no ratio.
			c.h, c.v = 1, 1
		}
		d.mostAcross, d.mostDown = max(d.mostAcross, c.h), max(d.mostDown, c.v)
	}
	for i := range d.comps {
		c := &d.comps[i]
		if count == 3 && (d.mostAcross%c.h != 0 || d.mostDown%c.v != 0) {
			return errRatio
		}
		c.expand = image.Pt(d.mostAcross/c.h, d.mostDown/c.v)
	}
	return nil
}

// isFour says whether a picture of four components may have this ratio.
func (d *decoder) isFour(i, ratio int) bool {
	switch i {
	case 0:
		return ratio == 0x11 || ratio == 0x22
	case 1, 2:
		return ratio == 0x11
	}
	return d.comps[0].h == ratio>>4 && d.comps[0].v == ratio&15
}

// quants reads tables of divisors, left bytes of them: each a byte that tells its number and
// whether its entries are words, then the entries.
func (d *decoder) quants(left int) error {
	for left > 0 {
		kind, err := d.byte()
		left--
		wide, to := kind>>4, kind&15
		size := perBlock << (wide & 1)
		switch {
		case err != nil:
			return err
		case to > 3:
			return FormatError("bad Tq value")
		case wide > 1:
			return FormatError("bad Pq value")
		case left == 0:
			return nil
		case left < size:
			return FormatError("DQT has wrong length")
		}
		p, err := d.take(size)
		if err != nil {
			return err
		}
		left -= size
		table := d.quant[to]
		clear(table)
		for i, b := range p {
			entry := &table[i>>wide]
			*entry = *entry<<8 | int32(b)
		}
	}
	return nil
}

func (d *decoder) codes(n int) error {
	const head = 17
	for n > 0 {
		if n < head {
			return FormatError("DHT has wrong length")
		}
		p, err := d.take(head)
		if err != nil {
			return err
		}
		class, to := p[0]>>4, p[0]&15
		if class > 1 {
			return FormatError("bad Tc value")
		}
		if to > 3 || d.isBaseline && to > 1 {
			return FormatError("bad Th value")
		}
		table := d.tables[tableWords*int(4*class+to):][:tableWords]
		counts := p[1:]
		total := 0
		for _, c := range counts {
			total += int(c)
		}
		table[0] = int32(total)
		if total == 0 {
			return FormatError("Huffman table has zero length")
		}
		if total > 256 {
			return FormatError("Huffman table has excessive length")
		}
		if n -= total + head; n < 0 {
			return FormatError("DHT has wrong length")
		}
		values, err := d.take(total)
		if err != nil {
			return err
		}
		fillTable(table, counts, values)
	}
	return nil
}

func fillTable(table []int32, counts, values []byte) {
	for i, v := range values {
		table[atValues+i] = int32(v)
	}
	quick := table[atQuick:][:256]
	clear(quick)
	code, index := int32(0), int32(0)
	for i, count := range counts {
		n := int32(count)
		least, greatest, first := int32(-1), int32(-1), int32(-1)
		if n > 0 {
			least, greatest, first = code, code+n-1, index
		}
		table[atLeast+i], table[atGreatest+i], table[atIndex+i] = least, greatest, first
		for j := range n {
			if i < 8 {
				from := uint8((code + j) << (7 - i))
				for k := range 1 << (7 - i) {
					quick[from|uint8(k)] = int32(values[index+j])<<8 | int32(2+i)
				}
			}
		}
		code = (code + n) << 1
		index += n
	}
}

// decode reads parts up to the end, or until the size is known.
func (d *decoder) decode(r io.Reader, onlyConfig bool) (image.Image, error) {
	d.r = r
	d.tables = make([]int32, 8*tableWords)
	for i := range d.quant {
		d.quant[i] = make([]int32, perBlock)
	}
	p, err := d.take(2)
	if err != nil {
		return nil, err
	}
	if p[0] != 0xff || p[1] != markStart {
		return nil, FormatError("missing SOI marker")
	}
	for {
		marker, err := d.marker()
		if err != nil {
			return nil, err
		}
		if marker == markEnd {
			break
		}
		if marker == markNone || markRestart <= marker && marker < markStart {
			continue
		}
		p, err := d.take(2)
		if err != nil {
			return nil, err
		}
		n := int(p[0])<<8 + int(p[1]) - 2
		if n < 0 {
			return nil, FormatError("short segment length")
		}
		isDone, err := d.part(marker, n, onlyConfig)
		if err != nil || isDone {
			return nil, err
		}
	}
	return d.picture()
}

// marker reads what announces a part, or markNone where the data has a byte that looks so.
func (d *decoder) marker() (int, error) {
	p, err := d.take(2)
	if err != nil {
		return 0, err
	}
	a, b := p[0], p[1]
	for a != 0xff {
		a = b
		if b, err = d.byte(); err != nil {
			return 0, err
		}
	}
	if b == 0 {
		return markNone, nil
	}
	for b == 0xff {
		if b, err = d.byte(); err != nil {
			return 0, err
		}
	}
	return int(b), nil
}

func (d *decoder) part(marker, n int, onlyConfig bool) (isDone bool, err error) {
	switch marker {
	case markFrame, markExtended, markProgressive:
		d.isBaseline, d.isProgressive = marker == markFrame, marker == markProgressive
		err = d.frame(n)
		return onlyConfig && d.isJFIF, err
	case markScan:
		if onlyConfig {
			return true, nil
		}
		return false, d.scan(n)
	case markCodes, markQuant, markInterval:
		switch {
		case onlyConfig:
			err = d.skip(n)
		case marker == markCodes:
			err = d.codes(n)
		case marker == markQuant:
			err = d.quants(n)
		case n != 2:
			err = FormatError("DRI has wrong length")
		default:
			var p []byte
			if p, err = d.take(2); err == nil {
				d.interval = int(p[0])<<8 | int(p[1])
			}
		}
		return false, err
	case markApp:
		return false, d.app(n, 5, func(p []byte) { d.isJFIF = string(p) == "JFIF\x00" })
	case markAdobe:
		return false, d.app(n, 12, func(p []byte) {
			if string(p[:5]) == "Adobe" {
				d.hasAdobe, d.adobe = true, p[11]
			}
		})
	}
	switch {
	case markApp <= marker && marker < markApp+16, marker == markComment:
		err = d.skip(n)
	case marker < markFrame:
		err = FormatError("unknown marker")
	default:
		err = UnsupportedError("unknown marker")
	}
	return false, err
}

// app looks at what a program has noted, if it is long enough.
func (d *decoder) app(n, want int, look func(p []byte)) error {
	if n >= want {
		p, err := d.take(want)
		if err != nil {
			return err
		}
		look(p)
		n -= want
	}
	return d.skip(n)
}

func (d *decoder) picture() (image.Image, error) {
	if d.isProgressive {
		d.reconstructAll()
	}
	switch {
	case d.gray != nil:
		return d.gray, nil
	case d.color == nil:
		return nil, FormatError("missing SOS marker")
	case d.black != nil:
		return d.cmyk()
	case d.isUnconverted():
		return d.rgb()
	}
	return d.color, nil
}

const adobeUnknown = 0

// isUnconverted says whether the components are red, green and blue: a program has noted that it left them
// as they were, or they are named so. JFIF has no such pictures.
func (d *decoder) isUnconverted() bool {
	var names [3]byte
	for i := range names {
		names[i] = d.comps[i].id
	}
	isUntouched := d.hasAdobe && d.adobe == adobeUnknown
	return !d.isJFIF && (isUntouched || string(names[:]) == "RGB")
}

func (d *decoder) rgb() (image.Image, error) {
	a, b, c := d.comps[0], d.comps[1], d.comps[2]
	if b.h != c.h || b.v != c.v || a.h%b.h != 0 || a.v%b.v != 0 {
		return nil, errRatio
	}
	share := a.h / b.h
	m := image.NewRGBA(d.color.Rect)
	for y := range m.Rect.Dy() {
		i, j := d.color.YOffset(0, y), d.color.COffset(0, y)
		row := m.Pix[y*m.Stride:]
		for x := range m.Rect.Dx() {
			p := row[4*x:][:4]
			p[0], p[1], p[2], p[3] = d.color.Y[i+x], d.color.Cb[j+x/share], d.color.Cr[j+x/share], 255
		}
	}
	return m, nil
}

// cmyk makes a picture of four components, which are stored upside down.
func (d *decoder) cmyk() (image.Image, error) {
	if !d.hasAdobe {
		return nil, UnsupportedError(
			"unknown color model: 4-component JPEG doesn't have Adobe APP14 metadata")
	}
	m := image.NewCMYK(d.color.Rect)
	stride := d.blackRow()
	isHalf := func(i int) bool {
		return d.comps[i].h != d.comps[0].h || d.comps[i].v != d.comps[0].v
	}
	planes := []struct {
		pix    []byte
		stride int
	}{
		{d.color.Y, d.color.YStride}, {d.color.Cb, d.color.CStride},
		{d.color.Cr, d.color.CStride}, {d.black, stride},
	}
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			p := m.Pix[y*m.Stride+4*x:][:4]
			if d.adobe != adobeUnknown {
				c := d.color.YCbCrAt(x, y)
				p[0], p[1], p[2] = color.YCbCrToRGB(c.Y, c.Cb, c.Cr)
				p[3] = 255 - d.black[y*stride+x]
				continue
			}
			for i, plane := range planes {
				px, py := x, y
				if isHalf(i) {
					px, py = x/2, y/2
				}
				p[i] = 255 - plane.pix[py*plane.stride+px]
			}
		}
	}
	return m, nil
}

func DecodeConfig(r io.Reader) (image.Config, error) {
	d := new(decoder)
	_, err := d.decode(r, true)
	if err != nil {
		return image.Config{}, err
	}
	c := image.Config{Width: d.width, Height: d.height}
	switch len(d.comps) {
	case 1:
		c.ColorModel = color.GrayModel
	case 3:
		c.ColorModel = color.YCbCrModel
		if d.isUnconverted() {
			c.ColorModel = color.RGBAModel
		}
	case 4:
		c.ColorModel = color.CMYKModel
	default:
		return image.Config{}, FormatError("missing SOF marker")
	}
	return c, nil
}

func Decode(r io.Reader) (image.Image, error) {
	return new(decoder).decode(r, false)
}
