// Package unicode: properties of characters. The predicates are native; here are the range tables.
package unicode

const (
	MaxRune         = '\U0010FFFF'
	ReplacementChar = '\uFFFD'
	MaxASCII        = '\u007F'
	MaxLatin1       = '\u00FF'
)

const Version = "17.0.0"

type RangeTable struct {
	R16         []Range16
	R32         []Range32
	LatinOffset int
}

type Range16 struct {
	Lo     uint16
	Hi     uint16
	Stride uint16
}

type Range32 struct {
	Lo     uint32
	Hi     uint32
	Stride uint32
}

type CaseRange struct {
	Lo    uint32
	Hi    uint32
	Delta d
}

type SpecialCase []CaseRange

const (
	UpperCase = iota
	LowerCase
	TitleCase
	MaxCase
)

type d [MaxCase]rune

const UpperLower = MaxRune + 1

// load is a table of that kind (C category, S script, P property, F and G folding) and name: lo, hi and stride of each range; how many
// of them are of 16 bits, and how many of Latin-1.
func load(kind, name string) (ranges []uint32, r16, latin int)

func newTable(kind, name string) *RangeTable {
	ranges, r16, latin := load(kind, name)
	t := &RangeTable{LatinOffset: latin}
	for i := 0; i < len(ranges); i += 3 {
		if i/3 < r16 {
			t.R16 = append(t.R16, Range16{uint16(ranges[i]), uint16(ranges[i+1]), uint16(ranges[i+2])})
		} else {
			t.R32 = append(t.R32, Range32{ranges[i], ranges[i+1], ranges[i+2]})
		}
	}
	return t
}

// tableNames is the names of the tables of a kind.
func tableNames(kind string) []string

func newTables(kind string) map[string]*RangeTable {
	m := map[string]*RangeTable{}
	for _, name := range tableNames(kind) {
		m[name] = newTable(kind, name)
	}
	return m
}

// aliases is the long names of categories, each with the short one behind it.
func aliases() []string

func newAliases() map[string]string {
	m := map[string]string{}
	a := aliases()
	for i := 0; i+1 < len(a); i += 2 {
		m[a[i]] = a[i+1]
	}
	return m
}

// loadCases is the ranges of CaseRanges, five numbers for each.
func loadCases() []int32

func newCaseRanges() []CaseRange {
	c := loadCases()
	var out []CaseRange
	for i := 0; i < len(c); i += 5 {
		out = append(out, CaseRange{uint32(c[i]), uint32(c[i+1]), d{c[i+2], c[i+3], c[i+4]}})
	}
	return out
}

var Categories = newTables("C")
var Scripts = newTables("S")
var Properties = newTables("P")
var FoldCategory = newTables("F")
var FoldScript = newTables("G")
var CategoryAliases = newAliases()
var CaseRanges = newCaseRanges()

var GraphicRanges = []*RangeTable{L, M, N, P, S, Zs}
var PrintRanges = []*RangeTable{L, M, N, P, S}

var TurkishCase SpecialCase = SpecialCase{
	CaseRange{0x0049, 0x0049, d{0, 0x131 - 0x49, 0}},
	CaseRange{0x0069, 0x0069, d{0x130 - 0x69, 0, 0x130 - 0x69}},
	CaseRange{0x0130, 0x0130, d{0, 0x69 - 0x130, 0}},
	CaseRange{0x0131, 0x0131, d{0x49 - 0x131, 0, 0x49 - 0x131}},
}

var AzeriCase SpecialCase = TurkishCase

func Is(rangeTab *RangeTable, r rune) bool {
	u, narrow, wide := uint32(r), rangeTab.R16, rangeTab.R32
	if n := len(narrow); n > 0 && u <= uint32(narrow[n-1].Hi) {
		from := 0
		for to := n - 1; from < to; {
			if m := (from + to) / 2; u <= uint32(narrow[m].Hi) {
				to = m
			} else {
				from = m + 1
			}
		}
		return isStep(u, uint32(narrow[from].Lo), uint32(narrow[from].Stride))
	}
	from, to := 0, len(wide)
	for from < to {
		if m := (from + to) / 2; u <= wide[m].Hi {
			to = m
		} else {
			from = m + 1
		}
	}
	return from < len(wide) && isStep(u, wide[from].Lo, wide[from].Stride)
}

// isStep says whether u is one of lo, lo+stride and so on.
func isStep(u, lo, stride uint32) bool { return u >= lo && (stride == 1 || (u-lo)%stride == 0) }

func In(r rune, ranges ...*RangeTable) bool {
	for _, t := range ranges {
		if Is(t, r) {
			return true
		}
	}
	return false
}

func IsOneOf(ranges []*RangeTable, r rune) bool { return In(r, ranges...) }

// IsControl says whether r is a control character, of category Cc.
func IsControl(r rune) bool

// IsDigit says whether r is a decimal digit, of category Nd.
func IsDigit(r rune) bool

// IsGraphic says whether r shows: it is of category L, M, N, P, S or Zs.
func IsGraphic(r rune) bool

// IsLetter says whether r is a letter, of category L.
func IsLetter(r rune) bool

// IsLower says whether r is in lower case.
func IsLower(r rune) bool

// IsMark says whether r is a mark, of category M.
func IsMark(r rune) bool

// IsNumber says whether r is a number, of category N.
func IsNumber(r rune) bool

// IsPrint says whether r can be printed: it is the ASCII space, or of category L, M, N, P or S.
func IsPrint(r rune) bool

// IsPunct says whether r is punctuation, of category P.
func IsPunct(r rune) bool

// IsSpace says whether r is white space, as property White_Space has it.
func IsSpace(r rune) bool

// IsSymbol says whether r is a symbol, of category S.
func IsSymbol(r rune) bool

// IsTitle says whether r is in title case, of category Lt.
func IsTitle(r rune) bool

// IsUpper says whether r is in upper case.
func IsUpper(r rune) bool

// To is r in UpperCase, LowerCase or TitleCase, as _case says.
func To(_case int, r rune) rune

// ToUpper is r in upper case.
func ToUpper(r rune) rune

// ToLower is r in lower case.
func ToLower(r rune) rune

// ToTitle is r in title case.
func ToTitle(r rune) rune

// SimpleFold is the next rune that is equal to r but for case; after the last comes the first.
func SimpleFold(r rune) rune

func (special SpecialCase) to(c int, r rune) (rune, bool) {
	for _, x := range special {
		if rune(x.Lo) <= r && r <= rune(x.Hi) {
			if x.Delta[c] > MaxRune {
				return rune(x.Lo) + ((r-rune(x.Lo))&^1 | rune(c&1)), true
			}
			return r + x.Delta[c], true
		}
	}
	return r, false
}

func (special SpecialCase) ToUpper(r rune) rune {
	s, ok := special.to(UpperCase, r)
	if s == r && !ok {
		s = ToUpper(r)
	}
	return s
}

func (special SpecialCase) ToTitle(r rune) rune {
	s, ok := special.to(TitleCase, r)
	if s == r && !ok {
		s = ToTitle(r)
	}
	return s
}

func (special SpecialCase) ToLower(r rune) rune {
	s, ok := special.to(LowerCase, r)
	if s == r && !ok {
		s = ToLower(r)
	}
	return s
}
