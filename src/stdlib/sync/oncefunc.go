package sync

// Functions that run once. A panic comes again with every call.

func OnceValue[T any](f func() T) func() T {
	var once Once
	var value T
	var panicked any
	returned := false
	return func() T {
		once.Do(func() {
			defer func() {
				if !returned {
					panicked = recover()
					panic(panicked)
				}
			}()
			value = f()
			f = nil
			returned = true
		})
		if !returned {
			panic(panicked)
		}
		return value
	}
}

func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	type pair struct {
		first  T1
		second T2
	}
	run := OnceValue(func() pair {
		first, second := f()
		return pair{first, second}
	})
	return func() (T1, T2) {
		p := run()
		return p.first, p.second
	}
}

func OnceFunc(f func()) func() {
	var once Once
	var finished bool
	var failure any
	run := func() {
		defer func() {
			f = nil
			if !finished {
				failure = recover()
				panic(failure)
			}
		}()
		f()
		finished = true
	}
	return func() {
		once.Do(run)
		if !finished {
			panic(failure)
		}
	}
}
