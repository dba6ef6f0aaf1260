package errors

// AsType finds the first error in the tree of err that is an E, or says that it is one.
func AsType[E error](err error) (E, bool) {
	if err == nil {
		var zero E
		return zero, false
	}
	return asType[E](err)
}

func asType[E error](err error) (E, bool) {
	for {
		if e, ok := err.(E); ok {
			return e, true
		}
		if a, ok := err.(interface{ As(any) bool }); ok {
			var e E
			if a.As(&e) {
				return e, true
			}
		}
		switch u := err.(type) {
		case interface{ Unwrap() error }:
			if err = u.Unwrap(); err != nil {
				continue
			}
		case interface{ Unwrap() []error }:
			for _, err := range u.Unwrap() {
				if err == nil {
					continue
				}
				if e, ok := asType[E](err); ok {
					return e, true
				}
			}
		}
		var zero E
		return zero, false
	}
}
