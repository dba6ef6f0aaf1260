// Package palette: two palettes of old screens.
package palette

import "image/color"

// Plan9 divides the cube of colors into 4×4×4, with four brightnesses in each part.
var Plan9 = plan9()

// WebSafe are the colors whose parts are multiples of 0x33.
var WebSafe = webSafe()

func plan9() []color.Color {
	const steps, unit = 4, 0x11
	colors := make([]color.Color, 256)
	for i := range steps * steps {
		r, v := i/steps, i%steps
		// Within a block of sixteen they begin elsewhere, so that neighbors look alike.
		at := v - r
		for j := range steps * steps {
			g, b := j/steps, j%steps
			c := color.RGBA{A: 0xff}
			if most := max(r, g, b); most == 0 {
				gray := uint8(v * unit)
				c.R, c.G, c.B = gray, gray, gray
			} else {
				light := unit * (steps*most + v)
				c.R, c.G, c.B = uint8(r*light/most), uint8(g*light/most), uint8(b*light/most)
			}
			colors[16*i+(at+j)&15] = c
		}
	}
	return colors
}

func webSafe() []color.Color {
	const steps, unit = 6, 0x33
	colors := make([]color.Color, 0, steps*steps*steps)
	for r := range uint8(steps) {
		for g := range uint8(steps) {
			for b := range uint8(steps) {
				colors = append(colors, color.RGBA{r * unit, g * unit, b * unit, 0xff})
			}
		}
	}
	return colors
}
