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

// walk visits err and all that it wraps, depth first, until visit says that this is it.
func walk(err error, visit func(error) bool) bool {
	for err != nil {
		if visit(err) {
			return true
		}
		switch wrapper := err.(type) {
		case interface{ Unwrap() error }:
			err = wrapper.Unwrap()
			continue
		case interface{ Unwrap() []error }:
			for _, branch := range wrapper.Unwrap() {
				if walk(branch, visit) {
					return true
				}
			}
		}
		break
	}
	return false
}

func Is(err, target error) bool {
	if err == nil || target == nil {
		return err == target
	}
	canCompare := comparable(target)
	return walk(err, func(e error) bool {
		if canCompare && e == target {
			return true
		}
		own, ok := e.(interface{ Is(error) bool })
		return ok && own.Is(target)
	})
}

func As(err error, target any) bool {
	if err == nil {
		return false
	}
	checkTarget(target)
	return walk(err, func(e error) bool {
		if assignTo(e, target) {
			return true
		}
		own, ok := e.(interface{ As(any) bool })
		return ok && own.As(target)
	})
}

// comparable tells whether values of the dynamic type of err may be compared with ==.
func comparable(err error) bool

// checkTarget panics unless target is a non-nil pointer to an interface or to a type that implements error.
func checkTarget(target any)

// assignTo stores err in *target if its dynamic type is assignable to the type pointed to.
func assignTo(err error, target any) bool

func Join(errs ...error) error {
	var real []error
	for _, err := range errs {
		if err != nil {
			real = append(real, err)
		}
	}
	if real == nil {
		return nil
	}
	return &joinError{real}
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
