// Package asn1: values in the distinguished encoding (DER) of ASN.1.
//
// An element is a tag, a length and a content. How the fields of structs are written is said by
// their tags, and what is found must be what is expected there, but for fields that are optional.
package asn1

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// Tags of the types that ASN.1 has itself.
const (
	TagBoolean         = 1
	TagInteger         = 2
	TagBitString       = 3
	TagOctetString     = 4
	TagNull            = 5
	TagOID             = 6
	TagEnum            = 10
	TagUTF8String      = 12
	TagSequence        = 16
	TagSet             = 17
	TagNumericString   = 18
	TagPrintableString = 19
	TagT61String       = 20
	TagIA5String       = 22
	TagUTCTime         = 23
	TagGeneralizedTime = 24
	TagGeneralString   = 27
	TagBMPString       = 30
)

// Classes of tags.
const (
	ClassUniversal       = 0
	ClassApplication     = 1
	ClassContextSpecific = 2
	ClassPrivate         = 3
)

// A StructuralError says that the encoding is right, but of something else.
type StructuralError struct {
	Msg string
}

// A SyntaxError says that the encoding is wrong.
type SyntaxError struct {
	Msg string
}

func (why SyntaxError) Error() string     { return "asn1: syntax error: " + why.Msg }
func (why StructuralError) Error() string { return "asn1: structure error: " + why.Msg }

// A BitString is a number of bits, the first being the highest of the first byte.
type BitString struct {
	Bytes     []byte
	BitLength int
}

func (b BitString) At(i int) int {
	if i < 0 || i >= b.BitLength {
		return 0
	}
	return int(b.Bytes[i/8]>>(7-i%8)) & 1
}

func (b BitString) RightAlign() []byte {
	used := b.BitLength % 8
	if used == 0 || len(b.Bytes) == 0 {
		return b.Bytes
	}
	out := make([]byte, len(b.Bytes))
	var before byte
	for i, c := range b.Bytes {
		out[i] = before<<used | c>>(8-used)
		before = c
	}
	return out
}

// NullRawValue is NULL, and NullBytes how it is encoded.
var (
	NullRawValue = RawValue{Tag: TagNull}
	NullBytes    = []byte{TagNull, 0}
)

type ObjectIdentifier []int

func (oi ObjectIdentifier) Equal(other ObjectIdentifier) bool { return slices.Equal(oi, other) }

func (oi ObjectIdentifier) String() string {
	var s []byte
	for i, v := range oi {
		if i > 0 {
			s = append(s, '.')
		}
		s = strconv.AppendInt(s, int64(v), 10)
	}
	return string(s)
}

// An Enumerated is a number that ASN.1 calls so.
type Enumerated int

// A Flag is true if there is an element, whatever is in it.
type Flag bool

// A RawValue is an element that nobody has looked into.
type RawValue struct {
	Class, Tag int
	IsCompound bool
	Bytes      []byte
	FullBytes  []byte // with tag and length
}

// A RawContent is what the struct is encoded as whose first field it is.
type RawContent []byte

// The names and the order of these fields stand in texts of errors.
type tagAndLength struct {
	class, tag, length int
	isCompound         bool
}

type fieldRules struct {
	optional     bool
	explicit     bool // the element is inside of another one with the tag
	application  bool
	private      bool
	defaultValue *int64
	tag          *int
	stringType   int
	timeType     int
	set          bool
	omitEmpty    bool
}

// parametersOf reads what a field's tag says; what it does not know it passes over.
func parametersOf(text string) (p fieldRules) {
	needTag := func() {
		if p.tag == nil {
			p.tag = new(int)
		}
	}
	for word := range strings.SplitSeq(text, ",") {
		switch word {
		case "optional":
			p.optional = true
		case "explicit":
			p.explicit = true
			needTag()
		case "application":
			p.application = true
			needTag()
		case "private":
			p.private = true
			needTag()
		case "set":
			p.set = true
		case "omitempty":
			p.omitEmpty = true
		case "generalized":
			p.timeType = TagGeneralizedTime
		case "utc":
			p.timeType = TagUTCTime
		case "ia5":
			p.stringType = TagIA5String
		case "printable":
			p.stringType = TagPrintableString
		case "numeric":
			p.stringType = TagNumericString
		case "utf8":
			p.stringType = TagUTF8String
		}
		if n, ok := strings.CutPrefix(word, "default:"); ok {
			if i, err := strconv.ParseInt(n, 10, 64); err == nil {
				p.defaultValue = &i
			}
		} else if n, ok := strings.CutPrefix(word, "tag:"); ok {
			if i, err := strconv.Atoi(n); err == nil {
				p.tag = &i
			}
		}
	}
	return p
}

// class is that of a tag which the parameters give.
func (p *fieldRules) class() int {
	switch {
	case p.application:
		return ClassApplication
	case p.private:
		return ClassPrivate
	}
	return ClassContextSpecific
}

var (
	bitStrings   = reflect.TypeFor[BitString]()
	identifiers  = reflect.TypeFor[ObjectIdentifier]()
	enumerations = reflect.TypeFor[Enumerated]()
	flags        = reflect.TypeFor[Flag]()
	times        = reflect.TypeFor[time.Time]()
	rawValues    = reflect.TypeFor[RawValue]()
	rawContents  = reflect.TypeFor[RawContent]()
	bigIntegers  = reflect.TypeFor[*big.Int]()
)

// kindTags has the tags that go with kinds of Go's types.
var kindTags = [...]int{
	reflect.Bool:   TagBoolean,
	reflect.Int:    TagInteger,
	reflect.Int8:   TagInteger,
	reflect.Int16:  TagInteger,
	reflect.Int32:  TagInteger,
	reflect.Int64:  TagInteger,
	reflect.Slice:  TagSequence,
	reflect.String: TagPrintableString,
	reflect.Struct: TagSequence,
}

// universal is the tag that values of type t have, and whether there are elements in them;
// of a RawValue it is -1.
func universal(t reflect.Type) (tag int, isCompound, ok bool) {
	if tag = ownTag(t); tag != 0 {
		return tag, false, true
	}
	kind := t.Kind()
	if int(kind) < len(kindTags) {
		tag = kindTags[kind]
	}
	if kind == reflect.Slice && t.Elem().Kind() == reflect.Uint8 {
		tag = TagOctetString
	} else if kind == reflect.Slice && strings.HasSuffix(t.Name(), "SET") {
		tag = TagSet
	}
	return tag, tag == TagSequence || tag == TagSet, tag != 0
}

// ownTag is that of a type which stands for one of ASN.1's whatever its kind is; 0 of others.
func ownTag(t reflect.Type) int {
	switch t {
	case bigIntegers:
		return TagInteger
	case bitStrings:
		return TagBitString
	case enumerations:
		return TagEnum
	case identifiers:
		return TagOID
	case rawValues:
		return -1
	case times:
		return TagUTCTime
	}
	return 0
}

func isOtherString(tag int) bool {
	switch tag {
	case TagIA5String, TagGeneralString, TagT61String, TagUTF8String, TagNumericString,
		TagBMPString:
		return true
	}
	return false
}

// ---- contents

func readBoolean(b []byte) (bool, error) {
	if len(b) != 1 || b[0] != 0 && b[0] != 0xff {
		return false, SyntaxError{"invalid boolean"}
	}
	return b[0] != 0, nil
}

func checkMinimal(b []byte) error {
	if len(b) == 0 {
		return StructuralError{"empty integer"}
	}
	if len(b) > 1 {
		// Nine bits that are the same are one more than there may be.
		if nine := (int(b[0])<<8 | int(b[1])) >> 7; nine == 0 || nine == 0x1ff {
			return StructuralError{"integer not minimally-encoded"}
		}
	}
	return nil
}

// readInteger reads a number of so many bytes at most.
func readInteger(b []byte, most int) (n int64, err error) {
	if err := checkMinimal(b); err != nil {
		return 0, err
	}
	if len(b) > most {
		return 0, StructuralError{"integer too large"}
	}
	n = int64(int8(b[0]))
	for _, c := range b[1:] {
		n = n<<8 | int64(c)
	}
	return n, nil
}

func readBigInteger(b []byte) (*big.Int, error) {
	if err := checkMinimal(b); err != nil {
		return nil, err
	}
	n := new(big.Int).SetBytes(b)
	if b[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return n, nil
}

func readBits(b []byte) (s BitString, err error) {
	if len(b) == 0 {
		return s, SyntaxError{"zero length BIT STRING"}
	}
	unused, bits := int(b[0]), b[1:]
	length := 8*len(bits) - unused
	isRight := unused <= 7 && length >= 0
	if isRight && unused > 0 {
		isRight = bits[len(bits)-1]<<(8-unused) == 0
	}
	if !isRight {
		return s, SyntaxError{"invalid padding bits in BIT STRING"}
	}
	return BitString{Bytes: bits, BitLength: length}, nil
}

// readBase128 reads a number of seven bits a byte, and says where it ends.
func readBase128(b []byte, offset int) (n, end int, err error) {
	for i := 0; offset < len(b); i++ {
		c := b[offset]
		switch {
		case i == 5:
			return 0, offset, StructuralError{"base 128 integer too large"}
		case i == 0 && c == 0x80:
			return 0, offset, SyntaxError{"integer is not minimally encoded"}
		}
		n = n<<7 | int(c&0x7f)
		offset++
		if c < 0x80 {
			if n > math.MaxInt32 {
				err = StructuralError{"base 128 integer too large"}
			}
			return n, offset, err
		}
	}
	return 0, offset, SyntaxError{"truncated base 128 integer"}
}

func readIdentifier(b []byte) (oid ObjectIdentifier, err error) {
	if len(b) == 0 {
		return nil, SyntaxError{"zero length OBJECT IDENTIFIER"}
	}
	// There is room for a number each byte; where one fails the others stay zeros, as in Go.
	oid = make(ObjectIdentifier, len(b)+1)
	n := 0
	for offset := 0; offset < len(b); n++ {
		var v int
		if v, offset, err = readBase128(b, offset); err != nil {
			return oid, err
		}
		if n == 0 {
			// The first two are one number.
			oid[0] = min(v/40, 2)
			v -= 40 * oid[0]
			n++
		}
		oid[n] = v
	}
	return oid[:n], nil
}

// checkTime refuses a time that would be written otherwise.
func checkTime(t time.Time, layout, s string) error {
	if again := t.Format(layout); again != s {
		const msg = "asn1: time did not serialize back to the original value and may be invalid: " +
			"given %q, but serialized as %q"
		return fmt.Errorf(msg, s, again)
	}
	return nil
}

// readShortTime reads a time with or without seconds, whose year lies between 1950 and 2049.
func readShortTime(b []byte) (t time.Time, err error) {
	s := string(b)
	for _, layout := range [...]string{"0601021504Z0700", "060102150405Z0700"} {
		if t, err = time.Parse(layout, s); err != nil {
			continue
		}
		if err = checkTime(t, layout, s); err == nil && t.Year() >= 2050 {
			t = t.AddDate(-100, 0, 0)
		}
		break
	}
	return t, err
}

func readLongTime(b []byte) (time.Time, error) {
	const layout = "20060102150405.999999999Z0700"
	t, err := time.Parse(layout, string(b))
	if err != nil {
		return t, err
	}
	return t, checkTime(t, layout, string(b))
}

func isDigitOrSpace(c byte) bool { return '0' <= c && c <= '9' || c == ' ' }

// isPlain knows the characters of a PrintableString. It has no '*' and no '&', but some
// certificates do.
func isPlain(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		strings.IndexByte(" '()+,-./:=?", c) >= 0
}

// readString reads a string with that tag.
func readString(tag int, b []byte) (string, error) {
	valid := func(name string, ok func(byte) bool) (string, error) {
		for _, c := range b {
			if !ok(c) {
				return "", SyntaxError{name + " contains invalid character"}
			}
		}
		return string(b), nil
	}
	switch tag {
	case TagPrintableString:
		return valid("PrintableString", func(c byte) bool {
			return isPlain(c) || c == '*' || c == '&'
		})
	case TagNumericString:
		return valid("NumericString", isDigitOrSpace)
	case TagIA5String:
		return valid("IA5String", func(c byte) bool { return c < utf8.RuneSelf })
	case TagT61String, TagGeneralString:
		// As Latin 1, as others read it.
		s := make([]byte, 0, len(b))
		for _, c := range b {
			s = utf8.AppendRune(s, rune(c))
		}
		return string(s), nil
	case TagUTF8String:
		if !utf8.Valid(b) {
			return "", errors.New("asn1: invalid UTF-8 string")
		}
		return string(b), nil
	case TagBMPString:
		return readWide(b)
	}
	return "", SyntaxError{"internal error: unknown string type " + strconv.Itoa(tag)}
}

// readWide reads characters of 16 bits, and leaves a zero at the end out.
func readWide(b []byte) (string, error) {
	if len(b)%2 != 0 {
		return "", errors.New("invalid BMPString")
	}
	var s []uint16
	for i := 0; i < len(b); i += 2 {
		c := uint16(b[i])<<8 | uint16(b[i+1])
		if c == 0 && i+2 == len(b) {
			break
		}
		if c >= 0xfffe || c >= 0xfdd0 && c <= 0xfdef || c >= 0xd800 && c <= 0xdfff {
			return "", errors.New("invalid BMPString")
		}
		s = append(s, c)
	}
	return string(utf16.Decode(s)), nil
}

// ---- elements

// parseHeader reads tag and length, and says where the content begins.
func parseHeader(b []byte, offset int) (t tagAndLength, content int, err error) {
	if offset >= len(b) {
		return t, offset, errors.New("asn1: internal error in parseTagAndLength")
	}
	const isLong = 0x1f
	first := int(b[offset])
	offset++
	t.class, t.isCompound, t.tag = first>>6, first&0x20 != 0, first&isLong
	if t.tag == isLong {
		t.tag, offset, err = readBase128(b, offset)
		if err == nil && t.tag < isLong {
			err = SyntaxError{"non-minimal tag"}
		}
	}
	if err == nil {
		t.length, offset, err = parseLength(b, offset)
	}
	return t, offset, err
}

// parseLength reads a length: a byte, or how many bytes it has, and those.
func parseLength(b []byte, offset int) (n, end int, err error) {
	errCut := SyntaxError{"truncated tag or length"}
	if offset >= len(b) {
		return 0, offset, errCut
	}
	short := int(b[offset])
	offset++
	if short < 0x80 {
		return short, offset, nil
	} else if short == 0x80 {
		return 0, offset, SyntaxError{"indefinite length found (not DER)"}
	}
	for end := offset + short - 0x80; offset < end; {
		if offset == len(b) {
			return n, offset, errCut
		}
		if n >= 1<<23 {
			return n, offset, StructuralError{"length too large"}
		}
		n = n<<8 | int(b[offset])
		if offset++; n == 0 {
			return n, offset, StructuralError{"superfluous leading zeros in length"}
		}
	}
	if n < 0x80 {
		err = StructuralError{"non-minimal length"}
	}
	return n, offset, err
}

// setDefault gives v the value it has if there is no element, if that is allowed.
func setDefault(v reflect.Value, p *fieldRules) bool {
	if p.optional && p.defaultValue != nil && v.CanInt() {
		v.SetInt(*p.defaultValue)
	}
	return p.optional
}

// parseAny reads an element whose tag says what it is; one that is not known gives nil.
func parseAny(t tagAndLength, b []byte) (v any, err error) {
	if t.isCompound || t.class != ClassUniversal {
		return nil, nil
	}
	switch t.tag {
	case TagBoolean:
		return readBoolean(b)
	case TagInteger:
		return readInteger(b, 8)
	case TagBitString:
		return readBits(b)
	case TagOctetString:
		return b, nil
	case TagOID:
		return readIdentifier(b)
	case TagUTCTime:
		return readShortTime(b)
	case TagGeneralizedTime:
		return readLongTime(b)
	case TagPrintableString, TagNumericString, TagIA5String, TagT61String, TagUTF8String,
		TagBMPString:
		return readString(t.tag, b)
	}
	return nil, nil
}

// readInto reads the element at offset into v, and says where the next one begins.
func readInto(v reflect.Value, b []byte, begin int, p fieldRules, depth int) (int, error) {
	const maxDepth = 10000
	if depth++; depth > maxDepth {
		return begin, StructuralError{"nesting depth exceeded"}
	}
	if begin == len(b) {
		if !setDefault(v, &p) {
			return begin, SyntaxError{"sequence truncated"}
		}
		return begin, nil
	}
	typ := v.Type()
	t, offset, err := parseHeader(b, begin)
	if err != nil {
		return offset, err
	}
	if typ.Kind() == reflect.Interface && typ.NumMethod() == 0 {
		if t.length > len(b)-offset {
			return offset, SyntaxError{"data truncated"}
		}
		end := offset + t.length
		result, err := parseAny(t, b[offset:end])
		if err == nil && result != nil {
			v.Set(reflect.ValueOf(result))
		}
		return end, err
	}
	if p.explicit {
		class := ClassContextSpecific
		if p.application {
			class = ClassApplication
		}
		if offset == len(b) {
			return offset, StructuralError{"explicit tag has no child"}
		}
		if t.class != class || t.tag != *p.tag || t.length > 0 && !t.isCompound {
			if setDefault(v, &p) {
				return begin, nil
			}
			return offset, StructuralError{"explicitly tagged member didn't match"}
		}
		switch {
		case typ == rawValues:
			// It is the outer element.
		case t.length > 0:
			if t, offset, err = parseHeader(b, offset); err != nil {
				return offset, err
			}
		case typ == flags:
			v.SetBool(true)
			return offset, nil
		default:
			return offset, StructuralError{"zero length explicit tag was not an asn1.Flag"}
		}
	}
	own, isCompound, ok := universal(typ)
	if !ok {
		return offset, StructuralError{"unknown Go type: " + typ.String()}
	}
	isAny := own < 0
	switch {
	case own == TagPrintableString && t.class != ClassUniversal && p.stringType != 0:
		own = p.stringType
	case own == TagPrintableString && t.class == ClassUniversal && isOtherString(t.tag):
		own = t.tag
	case own == TagUTCTime && t.class != ClassUniversal && p.timeType != 0:
		own = p.timeType
	case own == TagUTCTime && t.class == ClassUniversal && t.tag == TagGeneralizedTime:
		own = t.tag
	}
	if p.set {
		own = TagSet
	}
	class, tag, anyTag := ClassUniversal, own, isAny
	if !p.explicit && p.tag != nil {
		class, tag, anyTag = ClassContextSpecific, *p.tag, false
		if p.application {
			class = ClassApplication
		}
		if p.private {
			class = ClassPrivate
		}
	}
	if !anyTag && (t.class != class || t.tag != tag) || !isAny && t.isCompound != isCompound {
		if setDefault(v, &p) {
			return begin, nil
		}
		const msg = "tags don't match (%d vs %+v) %+v %s @%d"
		return offset, StructuralError{fmt.Sprintf(msg, tag, t, p, typ.Name(), offset)}
	}
	if t.length > len(b)-offset {
		return offset, SyntaxError{"data truncated"}
	}
	end := offset + t.length
	element := RawValue{t.class, t.tag, t.isCompound, b[offset:end], b[begin:end]}
	return end, parseContent(v, own, element, depth)
}

// parseContent reads the content of an element into v; tag is the one that goes with v's type.
func parseContent(v reflect.Value, tag int, element RawValue, depth int) (err error) {
	b := element.Bytes
	switch v := v.Addr().Interface().(type) {
	case *ObjectIdentifier:
		*v, err = readIdentifier(b)
		return err
	case *BitString:
		*v, err = readBits(b)
		return err
	case *RawValue:
		*v = element
		return nil
	case *time.Time:
		if tag == TagUTCTime {
			*v, err = readShortTime(b)
		} else {
			*v, err = readLongTime(b)
		}
		return err
	case *Enumerated:
		n, err := readSmall(b)
		if err == nil {
			*v = Enumerated(n)
		}
		return err
	case *Flag:
		*v = true
		return nil
	case **big.Int:
		n, err := readBigInteger(b)
		if err == nil {
			*v = n
		}
		return err
	}
	typ := v.Type()
	switch v.Kind() {
	case reflect.Bool:
		is, err := readBoolean(b)
		if err == nil {
			v.SetBool(is)
		}
		return err
	case reflect.Int, reflect.Int32, reflect.Int64:
		parse := func(b []byte) (int64, error) { return readInteger(b, 8) }
		if typ.Size() == 4 {
			parse = readSmall
		}
		n, err := parse(b)
		if err == nil {
			v.SetInt(n)
		}
		return err
	case reflect.String:
		s, err := readString(tag, b)
		if err == nil {
			v.SetString(s)
		}
		return err
	case reflect.Struct:
		return parseStruct(v, element, depth)
	case reflect.Slice:
		if typ.Elem().Kind() == reflect.Uint8 {
			v.Set(reflect.MakeSlice(typ, len(b), len(b)))
			reflect.Copy(v, reflect.ValueOf(b))
			return nil
		}
		list, err := parseList(b, typ, depth)
		if err == nil {
			v.Set(list)
		}
		return err
	}
	return StructuralError{"unsupported: " + typ.String()}
}

func readSmall(b []byte) (int64, error) {
	n, err := readInteger(b, 8)
	if err == nil && n != int64(int32(n)) {
		return 0, StructuralError{"integer too large"}
	}
	return n, err
}

func checkFields(t reflect.Type) error {
	for i := range t.NumField() {
		if !t.Field(i).IsExported() {
			return StructuralError{"struct contains unexported fields"}
		}
	}
	return nil
}

func parseStruct(v reflect.Value, element RawValue, depth int) (err error) {
	t := v.Type()
	if err := checkFields(t); err != nil {
		return err
	}
	offset := 0
	for i := range t.NumField() {
		field := t.Field(i)
		if i == 0 && field.Type == rawContents {
			v.Field(0).Set(reflect.ValueOf(RawContent(element.FullBytes)))
			continue
		}
		p := parametersOf(field.Tag.Get("asn1"))
		if offset, err = readInto(v.Field(i), element.Bytes, offset, p, depth); err != nil {
			return err
		}
	}
	return nil
}

// parseList counts the elements before it makes a slice for them.
func parseList(b []byte, typ reflect.Type, depth int) (list reflect.Value, err error) {
	elem := typ.Elem()
	count, err := countElements(b, elem)
	if err != nil {
		return list, err
	}
	// Elements may be much longer than what they are read from: memory grows with what is there.
	const most = 10 << 20
	list = reflect.MakeSlice(typ, 0, min(count, max(most/max(int(elem.Size()), 1), 1)))
	for offset := 0; list.Len() < count && err == nil; {
		list = reflect.Append(list, reflect.Zero(elem))
		last := list.Index(list.Len() - 1)
		offset, err = readInto(last, b, offset, fieldRules{}, depth)
	}
	return list, err
}

// countElements says how many there are, all of which must be what elem is written as.
func countElements(b []byte, elem reflect.Type) (count int, err error) {
	tag, isCompound, ok := universal(elem)
	if !ok {
		return 0, StructuralError{"unknown Go type for slice"}
	}
	for offset := 0; offset < len(b); count++ {
		var t tagAndLength
		if t, offset, err = parseHeader(b, offset); err != nil {
			return 0, err
		}
		if isOtherString(t.tag) {
			t.tag = TagPrintableString
		} else if t.tag == TagGeneralizedTime {
			t.tag = TagUTCTime
		}
		want := tagAndLength{ClassUniversal, tag, t.length, isCompound}
		if tag >= 0 && t != want {
			return 0, StructuralError{"sequence tag mismatch"}
		}
		if offset += t.length; offset > len(b) {
			return 0, SyntaxError{"truncated sequence"}
		}
	}
	return count, nil
}

type badTarget struct {
	Type reflect.Type
}

func (e *badTarget) Error() string {
	if e.Type == nil {
		return "asn1: Unmarshal recipient value is nil"
	}
	what := "nil "
	if e.Type.Kind() != reflect.Pointer {
		what = "non-pointer "
	}
	return "asn1: Unmarshal recipient value is " + what + e.Type.String()
}

// Unmarshal is UnmarshalWithParams without parameters.
func Unmarshal(data []byte, val any) (rest []byte, err error) {
	return UnmarshalWithParams(data, val, "")
}

func UnmarshalWithParams(b []byte, val any, params string) (rest []byte, err error) {
	target := reflect.ValueOf(val)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		return nil, &badTarget{reflect.TypeOf(val)}
	}
	used, err := readInto(target.Elem(), b, 0, parametersOf(params), 0)
	if err == nil {
		rest = b[used:]
	}
	return rest, err
}
