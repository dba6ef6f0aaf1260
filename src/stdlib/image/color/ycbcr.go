package color

// clamp is the value with 16 binary places as one of so many bits more than it keeps places: too
// small ones are 0, too large ones all bits.
func clamp(v int32, places int) int32 {
	if uint32(v)>>24 == 0 {
		return v >> places
	}
	return ^(v >> 31)
}

func RGBToYCbCr(r, g, b uint8) (uint8, uint8, uint8) {
	const half = 1 << 15
	r1, g1, b1 := int32(r), int32(g), int32(b)
	y := (19595*r1 + 38470*g1 + 7471*b1 + half) >> 16
	cb := clamp(-11056*r1-21712*g1+32768*b1+257*half, 16)
	cr := clamp(32768*r1-27440*g1-5328*b1+257*half, 16)
	return uint8(y), uint8(cb), uint8(cr)
}

// rgb gives the three with 16 binary places, not clamped.
func rgb(y, cb, cr uint8) (r, g, b int32) {
	const whole = 0x10101
	y1, cb1, cr1 := int32(y)*whole, int32(cb)-128, int32(cr)-128
	return y1 + 91881*cr1, y1 - 22554*cb1 - 46802*cr1, y1 + 116130*cb1
}

func YCbCrToRGB(y, cb, cr uint8) (uint8, uint8, uint8) {
	r, g, b := rgb(y, cb, cr)
	return uint8(clamp(r, 16)), uint8(clamp(g, 16)), uint8(clamp(b, 16))
}

type YCbCr struct{ Y, Cb, Cr uint8 }

func (c YCbCr) RGBA() (uint32, uint32, uint32, uint32) {
	r, g, b := rgb(c.Y, c.Cb, c.Cr)
	return uint32(clamp(r, 8)) & full, uint32(clamp(g, 8)) & full, uint32(clamp(b, 8)) & full, full
}

type NYCbCrA struct {
	YCbCr
	A uint8
}

func (c NYCbCrA) RGBA() (uint32, uint32, uint32, uint32) {
	r, g, b, _ := c.YCbCr.RGBA()
	a := uint32(c.A) * widen
	return r * a / full, g * a / full, b * a / full, a
}

func RGBToCMYK(r, g, b uint8) (uint8, uint8, uint8, uint8) {
	most := uint32(max(r, g, b))
	if most == 0 {
		return 0, 0, 0, 0xff
	}
	part := func(v uint8) uint8 { return uint8((most - uint32(v)) * 0xff / most) }
	return part(r), part(g), part(b), uint8(0xff - most)
}

// light is what c and k leave of a color, in 16 bits.
func light(c, k uint8) uint32 {
	return (full - uint32(c)*widen) * (full - uint32(k)*widen) / full
}

func CMYKToRGB(c, m, y, k uint8) (uint8, uint8, uint8) {
	return uint8(light(c, k) >> narrow), uint8(light(m, k) >> narrow), uint8(light(y, k) >> narrow)
}

type CMYK struct{ C, M, Y, K uint8 }

func (c CMYK) RGBA() (uint32, uint32, uint32, uint32) {
	return light(c.C, c.K), light(c.M, c.K), light(c.Y, c.K), full
}
