// Package errors: making errors and looking into chains of them.
package errors

var ErrUnsupported = New("unsupported operation")

func New(text string) error { return &errorString{text} }

type errorString struct{ s string }

func (e *errorString) Error() string { return e.s }

func Unwrap(err error) error {
	if u, ok := err.(interface{ Unwrap() error }); ok {
		return u.Unwrap()
	}
	return nil
}

func Is(err, target error) bool {
	if err == nil || target == nil {
		return err == target
	}
	return is(err, target, comparable(target))
}

func is(err, target error, canCompare bool) bool {
	for {
		if canCompare && err == target {
			return true
		}
		if x, ok := err.(interface{ Is(error) bool }); ok && x.Is(target) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			if err = x.Unwrap(); err == nil {
				return false
			}
		case interface{ Unwrap() []error }:
			for _, e := range x.Unwrap() {
				if e != nil && is(e, target, canCompare) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
}

func As(err error, target any) bool {
	if err == nil {
		return false
	}
	checkTarget(target)
	return as(err, target)
}

func as(err error, target any) bool {
	for {
		if assignTo(err, target) {
			return true
		}
		if x, ok := err.(interface{ As(any) bool }); ok && x.As(target) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			if err = x.Unwrap(); err == nil {
				return false
			}
		case interface{ Unwrap() []error }:
			for _, e := range x.Unwrap() {
				if e != nil && as(e, target) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
}

// comparable tells whether values of the dynamic type of err may be compared with ==.
func comparable(err error) bool

// checkTarget panics unless target is a non-nil pointer to an interface or to a type that implements error.
func checkTarget(target any)

// assignTo stores err in *target if its dynamic type is assignable to the type pointed to.
func assignTo(err error, target any) bool

func Join(errs ...error) error {
	n := 0
	for _, err := range errs {
		if err != nil {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	j := &joinError{make([]error, 0, n)}
	for _, err := range errs {
		if err != nil {
			j.errs = append(j.errs, err)
		}
	}
	return j
}

type joinError struct{ errs []error }

func (j *joinError) Error() string {
	text := j.errs[0].Error()
	for _, err := range j.errs[1:] {
		text += "\n" + err.Error()
	}
	return text
}

func (j *joinError) Unwrap() []error { return j.errs }
