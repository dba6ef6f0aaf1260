package errors

// AsType finds the first error in the tree of err that is an E, or says that it is one.
func AsType[E error](err error) (E, bool) {
	if err != nil {
		return asType[E](err)
	}
	var none E
	return none, false
}

func asType[E error](err error) (E, bool) {
	for err != nil {
		if found, ok := err.(E); ok {
			return found, true
		}
		if as, ok := err.(interface{ As(any) bool }); ok {
			var found E
			if as.As(&found) {
				return found, true
			}
		}
		if several, ok := err.(interface{ Unwrap() []error }); ok {
			for _, one := range several.Unwrap() {
				if found, ok := asType[E](one); ok {
					return found, true
				}
			}
			break
		}
		wrapper, ok := err.(interface{ Unwrap() error })
		if !ok {
			break
		}
		err = wrapper.Unwrap()
	}
	var none E
	return none, false
}
