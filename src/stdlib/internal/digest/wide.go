package digest

const wideBlock = 128

// A WideAlgorithm is one of those with words of 64 bits.
type WideAlgorithm struct {
	Size  int
	Start []uint64
	Magic string
	Name  string
	Block func(state []uint64, p []byte)
}

// A Wide is a sum of such an algorithm under way.
type Wide struct {
	alg   *WideAlgorithm
	state [8]uint64
	rest  [wideBlock]byte
	total uint64
}

func StartWide(a *WideAlgorithm) Wide {
	d := Wide{alg: a}
	d.Reset()
	return d
}

func (d *Wide) Size() int      { return d.alg.Size }
func (d *Wide) BlockSize() int { return wideBlock }

func (d *Wide) Reset() {
	d.total = 0
	copy(d.state[:], d.alg.Start)
}

func (d *Wide) Write(p []byte) (int, error) {
	n, begun := len(p), int(d.total%wideBlock)
	d.total += uint64(n)
	if begun+n >= wideBlock {
		if begun > 0 {
			p = p[copy(d.rest[begun:], p):]
			d.alg.Block(d.state[:], d.rest[:])
			begun = 0
		}
		whole := len(p) &^ (wideBlock - 1)
		if whole > 0 {
			d.alg.Block(d.state[:], p[:whole])
		}
		p = p[whole:]
	}
	copy(d.rest[begun:], p)
	return n, nil
}

// Sum leaves the state as it is, so that more may be written.
func (d *Wide) Sum(in []byte) []byte {
	c := *d
	return c.finish(in)
}

// finish pads to a block whose last sixteen bytes are the length in bits.
func (d *Wide) finish(sum []byte) []byte {
	bits := d.total * 8
	n := wideBlock - int(d.total%wideBlock)
	if n < 1+16 {
		n += wideBlock
	}
	pad := make([]byte, n-8, 2*wideBlock)
	pad[0] = 0x80
	d.Write(appendLength(pad, bits))
	for i := range d.alg.Size {
		sum = append(sum, byte(d.state[i/8]>>(56-8*(i%8))))
	}
	return sum
}

func (d *Wide) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, d.alg.Magic...)
	for _, w := range d.state {
		b = appendLength(b, w)
	}
	return appendLength(appendRest(b, d.rest[:], d.total), d.total), nil
}

func (d *Wide) MarshalBinary() ([]byte, error) {
	return d.AppendBinary(make([]byte, 0, len(d.alg.Magic)+8*len(d.state)+wideBlock+8))
}

func (d *Wide) UnmarshalBinary(b []byte) error {
	b, err := stateIn(b, d.alg.Magic, d.alg.Name, 8*len(d.state)+wideBlock+8)
	if err != nil {
		return err
	}
	for i := range d.state {
		d.state[i], b = number(b, 8)
	}
	copy(d.rest[:], b)
	d.total, _ = number(b[wideBlock:], 8)
	return nil
}

// OfWide is the sum of data.
func OfWide(a *WideAlgorithm, data []byte) []byte {
	d := StartWide(a)
	d.Write(data)
	return d.finish(nil)
}
