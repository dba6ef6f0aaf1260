package jpeg

import (
	"image"
	"io"
)

// scan decodes units of a scan into coefficients as far as params say; how many bytes it has used,
// and why it stops.
func scan(
	params, tables, state, coefficients []int32, input []byte, isEnd bool,
) (used, stop int)

// reconstruct makes samples of coefficients.
func reconstruct(coefficients, quant []int32, to []byte, place []int)

const (
	stopDone = iota
	stopInput
)

// failures are what else a scan stops for.
var failures = []error{
	2: FormatError("missing 0xff00 sequence"),
	3: FormatError("short Huffman data"),
	4: FormatError("bad Huffman code"),
	5: FormatError("uninitialized Huffman table"),
	6: UnsupportedError("excessive DC component"),
	7: FormatError("unexpected Huffman code"),
	8: FormatError("too many coefficients"),
}

// Words of what a scan is told, and of how far it has come.
const (
	paramHead = 16
	paramComp = 8
	paramTo   = 10

	stateUnit  = 0
	stateHeld  = 1
	stateBits  = 2
	stateRun   = 3
	stateLast  = 5
	stateFirst = 6
	stateWords = 10
)

// units is how many units there are, side by side and one below the other.
func (d *decoder) units() (across, down int) {
	w, h := 8*d.mostAcross, 8*d.mostDown
	return (d.width + w - 1) / w, (d.height + h - 1) / h
}

func (d *decoder) blackRow() int {
	across, _ := d.units()
	return 8 * d.comps[3].h * across
}

// makePicture makes room for the samples.
func (d *decoder) makePicture() {
	across, down := d.units()
	seen := image.Rect(0, 0, d.width, d.height)
	if len(d.comps) == 1 {
		m := image.NewGray(image.Rect(0, 0, 8*across, 8*down))
		d.gray = m.SubImage(seen).(*image.Gray)
		return
	}
	a, b, c := d.comps[0], d.comps[1], d.comps[2]
	ratios := map[image.Point]image.YCbCrSubsampleRatio{
		{1, 1}: image.YCbCrSubsampleRatio444, {1, 2}: image.YCbCrSubsampleRatio440,
		{2, 1}: image.YCbCrSubsampleRatio422, {2, 2}: image.YCbCrSubsampleRatio420,
		{4, 1}: image.YCbCrSubsampleRatio411, {4, 2}: image.YCbCrSubsampleRatio410,
	}
	ratio, ok := ratios[b.expand]
	if !ok || b.expand != c.expand || a.expand != image.Pt(1, 1) {
		d.flex, ratio = true, image.YCbCrSubsampleRatio444
	}
	m := image.NewYCbCr(image.Rect(0, 0, 8*d.mostAcross*across, 8*d.mostDown*down), ratio)
	d.color = m.SubImage(seen).(*image.YCbCr)
	if len(d.comps) == 4 {
		d.black = make([]byte, d.blackRow()*8*d.comps[3].v*down)
	}
}

// plane is where the samples of a component go.
func (d *decoder) plane(i int) (pix []byte, stride int) {
	if d.gray != nil {
		return d.gray.Pix, d.gray.Stride
	}
	switch i {
	case 0:
		return d.color.Y, d.color.YStride
	case 1:
		return d.color.Cb, d.color.CStride
	case 2:
		return d.color.Cr, d.color.CStride
	}
	return d.black, d.blackRow()
}

// show makes samples of rows of blocks, of which so many count.
func (d *decoder) show(i int, coefficients []int32, across, width, rows, from int) {
	c := d.comps[i]
	pix, stride := d.plane(i)
	repeat := image.Pt(1, 1)
	if d.flex {
		repeat = c.expand
	}
	place := []int{stride, across, width, rows, from, repeat.X, repeat.Y}
	reconstruct(coefficients, d.quant[c.quant], pix, place)
}

func (d *decoder) reconstructAll() {
	across, _ := d.units()
	for i, c := range d.comps {
		if d.coefficients[i] == nil {
			continue
		}
		w, h := 8*c.expand.X, 8*c.expand.Y
		d.show(i, d.coefficients[i], across*c.h, (d.width+w-1)/w, (d.height+h-1)/h, 0)
	}
}

// part is what a scan says of a component.
type scanPart struct{ comp, first, rest int }

// header reads what is in the scan.
func (d *decoder) scanHeader(n int) (parts []scanPart, p []byte, err error) {
	bad := func(text string) ([]scanPart, []byte, error) { return nil, nil, FormatError(text) }
	if d.comps == nil {
		return bad("missing SOF marker")
	}
	if n < 6 || n > 4+2*len(d.comps) || n%2 != 0 {
		return bad("SOS has wrong length")
	}
	if p, err = d.take(n); err != nil {
		return nil, nil, err
	}
	count := int(p[0])
	if n != 4+2*count {
		return bad("SOS length inconsistent with number of components")
	}
	total := 0
	for i := range count {
		id, tables := p[1+2*i], p[2+2*i]
		comp := -1
		for j, c := range d.comps {
			if c.id == id {
				comp = j
			}
		}
		if comp < 0 {
			return bad("unknown component selector")
		}
		for _, other := range parts {
			if other.comp == comp {
				return bad("repeated component selector")
			}
		}
		total += d.comps[comp].h * d.comps[comp].v
		part := scanPart{comp, int(tables >> 4), int(tables & 15)}
		if part.first > 3 || d.isBaseline && part.first > 1 {
			return bad("bad Td value")
		}
		if part.rest > 3 || d.isBaseline && part.rest > 1 {
			return bad("bad Ta value")
		}
		parts = append(parts, part)
	}
	if len(d.comps) > 1 && total > 10 {
		return bad("total sampling factors too large")
	}
	return parts, p[1+2*count:], nil
}

func (d *decoder) scan(n int) error {
	parts, band, err := d.scanHeader(n)
	if err != nil {
		return err
	}
	from, to, high, low := 0, perBlock-1, 0, 0
	if d.isProgressive {
		from, to = int(band[0]), int(band[1])
		high, low = int(band[2]>>4), int(band[2]&15)
		if from == 0 && to != 0 || from > to || to >= perBlock {
			return FormatError("bad spectral selection bounds")
		}
		if from != 0 && len(parts) != 1 {
			return FormatError("progressive AC coefficients for more than one component")
		}
		if high != 0 && high != low+1 {
			return FormatError("bad successive approximation values")
		}
	}
	across, down := d.units()
	if d.gray == nil && d.color == nil {
		d.makePicture()
	}
	params := make([]int32, paramHead+paramComp*mostComponents)
	for i, v := range []int{across, down, d.width, d.height, len(parts), from, to, high, low} {
		params[i] = int32(v)
	}
	// Coefficients of the scan: of one row of units, or of all. Each component has its own, but one
	// slice at a time is handed over, so components of a common scan share one.
	var all []int32
	offsets := make([]int, len(parts))
	for i, part := range parts {
		c := d.comps[part.comp]
		blocks := across * c.h * c.v
		if d.isProgressive {
			params[9] = 1
			blocks *= down
		}
		offsets[i] = len(all) / perBlock
		all = append(all, make([]int32, blocks*perBlock)...)
		if d.isProgressive {
			if d.coefficients[part.comp] == nil {
				d.coefficients[part.comp] = make([]int32, blocks*perBlock)
			}
			copy(all[offsets[i]*perBlock:], d.coefficients[part.comp])
		}
		p := params[paramHead+paramComp*i:]
		for k, v := range []int{
			c.h, c.v, part.first, part.rest, offsets[i], across * c.h, part.comp,
		} {
			p[k] = int32(v)
		}
	}
	if len(parts) == 1 && d.isProgressive {
		// There is nothing to share.
		all = d.coefficients[parts[0].comp]
	}

	state := make([]int32, stateWords)
	state[stateRun] = d.run
	restart := byte(markRestart)
	for unit := 0; unit < across*down; {
		// Up to the end of the row, or to a restart.
		stop := (unit/across + 1) * across
		if d.interval > 0 {
			stop = min(stop, (unit/d.interval+1)*d.interval)
		}
		params[paramTo] = int32(stop)
		if err := d.runScan(params, state, all); err != nil {
			return err
		}
		unit = stop
		if unit%across == 0 && !d.isProgressive {
			row := unit/across - 1
			for i, part := range parts {
				c := d.comps[part.comp]
				width, rows := across*c.h, c.v
				if len(parts) == 1 {
					width = min(width, (d.width+7)/8)
					rows = min(rows, max(0, (d.height+7)/8-row*c.v))
				}
				d.show(part.comp, all[offsets[i]*perBlock:], across*c.h, width, rows, row*c.v)
			}
		}
		if d.interval > 0 && unit%d.interval == 0 && unit < across*down {
			d.giveBack(state)
			if err := d.restart(restart); err != nil {
				return err
			}
			if restart++; restart == markStart {
				restart = markRestart
			}
			state[stateHeld], state[stateBits], state[stateRun] = 0, 0, 0
			clear(state[stateFirst:])
		}
	}
	d.giveBack(state)
	d.run = state[stateRun]
	if d.isProgressive && len(parts) > 1 {
		for i, part := range parts {
			copy(d.coefficients[part.comp], all[offsets[i]*perBlock:])
		}
	}
	return nil
}

// runScan decodes units up to where the params say, reading what it takes.
func (d *decoder) runScan(params, state, all []int32) error {
	for {
		used, stop := scan(params, d.tables, state, all, d.buf, d.end != nil)
		d.recent = append([]byte(nil), lastOf(d.recent, d.buf[:used])...)
		d.buf = d.buf[used:]
		switch stop {
		case stopDone:
			return nil
		case stopInput:
			if err := d.more(); err != nil && d.end == nil {
				return err
			}
		default:
			err := failures[stop]
			if d.end != nil && d.end != io.EOF && err == failures[3] {
				return d.end
			}
			return err
		}
	}
}

// lastOf is the last two bytes of a and b.
func lastOf(a, b []byte) []byte {
	if len(b) >= 2 {
		return b[len(b)-2:]
	}
	a = append(a[:len(a):len(a)], b...)
	return a[max(0, len(a)-2):]
}

// giveBack gives back the last byte of bits, if none of them has been used.
func (d *decoder) giveBack(state []int32) {
	n := int(state[stateLast])
	if n > 0 && state[stateBits] >= 8 && n <= len(d.recent) {
		d.buf = append(append([]byte(nil), d.recent[len(d.recent)-n:]...), d.buf...)
		state[stateBits] -= 8
		state[stateHeld] >>= 8
	}
	state[stateLast] = 0
	d.recent = nil
}

// restart finds the marker between two parts of a scan, and passes over what is before it.
func (d *decoder) restart(want byte) error {
	p, err := d.take(2)
	if err != nil {
		return err
	}
	a, b := p[0], p[1]
	for a != 0xff || b != want {
		n := 2
		switch {
		case a == 0xff && b == 0xff, a != 0xff && b == 0xff:
			n = 1
		case a == 0xff && b != 0:
			return FormatError("bad RST marker")
		}
		if p, err = d.take(n); err != nil {
			return err
		}
		if n == 1 {
			a, b = 0xff, p[0]
		} else {
			a, b = p[0], p[1]
		}
	}
	return nil
}
