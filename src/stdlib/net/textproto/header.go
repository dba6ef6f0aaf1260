package textproto

// MIMEHeader has the values of each header field, by its canonical name.
type MIMEHeader map[string][]string

func (fields MIMEHeader) Values(name string) []string {
	return fields[CanonicalMIMEHeaderKey(name)]
}

// Get gives the first value, "" if there is none.
func (fields MIMEHeader) Get(name string) (first string) {
	if all := fields[CanonicalMIMEHeaderKey(name)]; len(all) > 0 {
		first = all[0]
	}
	return first
}

func (fields MIMEHeader) Del(name string) { delete(fields, CanonicalMIMEHeaderKey(name)) }

func (fields MIMEHeader) Set(name, value string) {
	fields[CanonicalMIMEHeaderKey(name)] = []string{value}
}

func (fields MIMEHeader) Add(name, value string) {
	name = CanonicalMIMEHeaderKey(name)
	fields[name] = append(fields[name], value)
}

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
