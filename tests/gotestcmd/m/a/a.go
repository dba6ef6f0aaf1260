package a

func Add(x, y int) int { return x + y }

func Sign(x int) string {
	if x < 0 {
		return "neg"
	} else if x == 0 {
		return "zero"
	}
	return "pos"
}
