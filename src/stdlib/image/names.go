package image

import "image/color"

var (
	Black       = NewUniform(color.Black)
	White       = NewUniform(color.White)
	Transparent = NewUniform(color.Transparent)
	Opaque      = NewUniform(color.Opaque)
)

// A Uniform is a picture without ends in one color, and a color and a model.
type Uniform struct{ C color.Color }

func NewUniform(c color.Color) *Uniform { return &Uniform{c} }

const far = 1e9

func (c *Uniform) RGBA() (r, g, b, a uint32)       { return c.C.RGBA() }
func (c *Uniform) ColorModel() color.Model         { return c }
func (c *Uniform) Convert(color.Color) color.Color { return c.C }
func (c *Uniform) Bounds() Rectangle               { return Rect(-far, -far, far, far) }
func (c *Uniform) At(x, y int) color.Color         { return c.C }
func (c *Uniform) RGBA64At(x, y int) color.RGBA64  { return rgba64(c.C) }

// Opaque says whether nothing shines through.
func (c *Uniform) Opaque() bool {
	_, _, _, alpha := c.C.RGBA()
	return alpha == 0xffff
}
