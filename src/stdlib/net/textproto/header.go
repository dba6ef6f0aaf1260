package textproto

// MIMEHeader has the values of each header field, by its canonical name.
type MIMEHeader map[string][]string

func (h MIMEHeader) Add(key, value string) {
	key = CanonicalMIMEHeaderKey(key)
	h[key] = append(h[key], value)
}

func (h MIMEHeader) Set(key, value string) {
	h[CanonicalMIMEHeaderKey(key)] = []string{value}
}

func (h MIMEHeader) Get(key string) string {
	if h == nil {
		return ""
	}
	if v := h[CanonicalMIMEHeaderKey(key)]; len(v) > 0 {
		return v[0]
	}
	return ""
}

func (h MIMEHeader) Values(key string) []string {
	if h == nil {
		return nil
	}
	return h[CanonicalMIMEHeaderKey(key)]
}

func (h MIMEHeader) Del(key string) { delete(h, CanonicalMIMEHeaderKey(key)) }

// CanonicalMIMEHeaderKey has the first letter, and those behind hyphens, upper case, and others
// lower case; what cannot be a field's name stays as it is.
func CanonicalMIMEHeaderKey(s string) string {
	key, _ := canonical(s)
	return key
}

// canonical also says whether s can stand before a colon: a name, perhaps with spaces in it, which
// is accepted but not changed.
func canonical(s string) (key string, ok bool)

// isValue says whether there are only bytes in v that a header's value may have.
func isValue(v []byte) bool
