package f

func only() int {
	a := []int{1, 2}[0:1]
	a[0]++
	a[0] = 5
	if a[0] > 1 {
		return 1
	}
	return 0
}
