package runtime

// What range over a function needs.

// rangeState panics as a loop body does that is called when it may not be.
func rangeState(state int) {
	switch state {
	case 1:
		panic(errorString("range function continued iteration after function for loop body returned false"))
	case 2:
		panic(errorString("range function continued iteration after loop body panic"))
	case 3:
		panic(errorString("range function continued iteration after whole loop exit"))
	}
	panic(errorString("range function recovered a loop body panic and did not resume panicking"))
}

// deferList holds what loop bodies deferred: a record of the function around the loop stands for all of it.
type deferList struct{ calls []func() }
