package time

import (
	"errors"
	"internal/zones"
)

// The first and the last second there is.
const (
	alpha = -1 << 63
	omega = 1<<63 - 1
)

type zone struct {
	name   string
	offset int // seconds east of UTC
	isDST  bool
}

// From `when` on, zone index is in force.
type transition struct {
	when  int64
	index uint8
}

// Location: transitions in order; after the last one the rule `extend` (as in TZ) goes on, if there is one.
type Location struct {
	name   string
	zones  []zone
	trans  []transition
	extend string
}

var utcLoc = Location{name: "UTC"}
var localLoc Location
var localReady bool

var UTC *Location = &utcLoc
var Local *Location = &localLoc

func (l *Location) get() *Location {
	if l == nil {
		return &utcLoc
	}
	if l == &localLoc && !localReady {
		initLocal()
	}
	return l
}

func (l *Location) String() string { return l.get().name }

// initLocal follows TZ: unset is /etc/localtime, empty is UTC, else a name or a file. Racing goroutines would all store the same.
func initLocal() {
	loaded := Location{name: "UTC"}
	switch tz, ok := getenv("TZ"); {
	case !ok:
		if data, ok := readFile("/etc/localtime"); ok {
			if l, err := LoadLocationFromTZData("Local", data); err == nil {
				loaded = *l
				loaded.name = "Local"
			}
		}
	case tz != "":
		if tz[0] == ':' {
			tz = tz[1:]
		}
		if tz != "" && tz[0] == '/' {
			if data, ok := readFile(tz); ok {
				if l, err := LoadLocationFromTZData(tz, data); err == nil {
					loaded = *l
					if tz == "/etc/localtime" {
						loaded.name = "Local"
					} else {
						loaded.name = tz
					}
				}
			}
		} else if tz != "" && tz != "UTC" {
			if l, err := loadNamed(tz); err == nil {
				loaded = *l
				loaded.name = "Local"
			}
		}
	}
	localLoc = loaded
	localReady = true
}

func FixedZone(name string, offset int) *Location {
	return &Location{
		name:  name,
		zones: []zone{{name, offset, false}},
		trans: []transition{{alpha, 0}},
	}
}

var errLocation = errors.New("time: invalid location name")

var zoneFolders = []string{"/usr/share/zoneinfo/", "/usr/share/lib/zoneinfo/", "/usr/lib/locale/TZ/", "/etc/zoneinfo/"}

func LoadLocation(name string) (*Location, error) {
	if name == "" || name == "UTC" {
		return UTC, nil
	}
	if name == "Local" {
		return Local, nil
	}
	if name[0] == '/' || name[0] == '\\' {
		return nil, errLocation
	}
	for i := 0; i+1 < len(name); i++ {
		if name[i:i+2] == ".." {
			return nil, errLocation
		}
	}
	return loadNamed(name)
}

func loadNamed(name string) (*Location, error) {
	folders := zoneFolders
	if dir, ok := getenv("ZONEINFO"); ok && dir != "" {
		folders = append([]string{dir + "/"}, folders...)
	}
	for _, folder := range folders {
		if data, ok := readFile(folder + name); ok {
			return LoadLocationFromTZData(name, data)
		}
	}
	if zones.Embedded != nil {
		if data, ok := zones.Embedded(name); ok {
			return LoadLocationFromTZData(name, data)
		}
	}
	return nil, errors.New("unknown time zone " + name)
}

var errBadData = errors.New("malformed time zone information")

// tzReader takes big-endian numbers off a TZif file; bad once it ran out of data.
type tzReader struct {
	p   []byte
	bad bool
}

func (r *tzReader) take(n int) []byte {
	if n < 0 || len(r.p) < n {
		r.p = nil
		r.bad = true
		return nil
	}
	p := r.p[:n]
	r.p = r.p[n:]
	return p
}

func (r *tzReader) number(bytes int) int64 {
	var v uint64
	p := r.take(bytes)
	for _, c := range p {
		v = v<<8 | uint64(c)
	}
	if bytes == 4 {
		return int64(int32(v))
	}
	return int64(v)
}

// LoadLocationFromTZData reads a TZif file (RFC 8536): the second, 64-bit block where there is one.
func LoadLocationFromTZData(name string, data []byte) (*Location, error) {
	r := &tzReader{p: data}
	width := 4
	var isUTC, isStd, leap, nTrans, nZones, nChars int
	header := func() (version byte, ok bool) {
		if string(r.take(4)) != "TZif" {
			return 0, false
		}
		p := r.take(16)
		if len(p) != 16 {
			return 0, false
		}
		isUTC, isStd, leap = int(r.number(4)), int(r.number(4)), int(r.number(4))
		nTrans, nZones, nChars = int(r.number(4)), int(r.number(4)), int(r.number(4))
		return p[0], !r.bad
	}
	version, ok := header()
	if !ok {
		return nil, errBadData
	}
	if version >= '2' {
		r.take(nTrans*4 + nTrans + nZones*6 + nChars + leap*8 + isStd + isUTC)
		width = 8
		if _, ok = header(); !ok {
			return nil, errBadData
		}
	}
	if nTrans < 0 || nZones <= 0 || nZones > 256 || nTrans > len(r.p)/width {
		return nil, errBadData
	}
	l := &Location{name: name}
	l.trans = make([]transition, nTrans)
	for i := range l.trans {
		l.trans[i].when = r.number(width)
	}
	for i, index := range r.take(nTrans) {
		if int(index) >= nZones {
			return nil, errBadData
		}
		l.trans[i].index = index
	}
	records := r.take(nZones * 6)
	chars := r.take(nChars)
	r.take(leap*(width+4) + isStd + isUTC)
	if r.bad {
		return nil, errBadData
	}
	for ; len(records) > 0; records = records[6:] {
		offset := int(int32(uint32(records[0])<<24 | uint32(records[1])<<16 | uint32(records[2])<<8 | uint32(records[3])))
		at := int(records[5])
		end := at
		for end < len(chars) && chars[end] != 0 {
			end++
		}
		if at > end {
			return nil, errBadData
		}
		l.zones = append(l.zones, zone{string(chars[at:end]), offset, records[4] != 0})
	}
	if rest := r.p; version >= '2' && len(rest) > 2 && rest[0] == '\n' && rest[len(rest)-1] == '\n' {
		l.extend = string(rest[1 : len(rest)-1])
	}
	if nTrans == 0 {
		l.trans = []transition{{alpha, 0}}
	}
	return l, nil
}

// lookup is the zone in force at a second since 1970, and from when to when.
func (l *Location) lookup(sec int64) (name string, offset int, start, end int64, isDST bool) {
	if len(l.zones) == 0 {
		return "UTC", 0, alpha, omega, false
	}
	if len(l.trans) == 0 || sec < l.trans[0].when {
		z := &l.zones[l.firstZone()]
		end = omega
		if len(l.trans) > 0 {
			end = l.trans[0].when
		}
		return z.name, z.offset, alpha, end, z.isDST
	}
	lo, hi := 0, len(l.trans)
	for hi-lo > 1 {
		mid := int(uint(lo+hi) >> 1)
		if sec < l.trans[mid].when {
			hi = mid
		} else {
			lo = mid
		}
	}
	end = omega
	if hi < len(l.trans) {
		end = l.trans[hi].when
	}
	z := &l.zones[l.trans[lo].index]
	if hi == len(l.trans) && l.extend != "" {
		if name, offset, start, end, isDST, ok := tzRule(l.extend, l.trans[lo].when, sec); ok {
			return name, offset, start, end, isDST
		}
	}
	return z.name, z.offset, l.trans[lo].when, end, z.isDST
}

// firstZone is the zone before the first transition: zone 0 if no transition goes to it, else the last standard one before the first used, else the
// first standard one.
func (l *Location) firstZone() int {
	used := false
	for _, t := range l.trans {
		used = used || t.index == 0
	}
	if !used {
		return 0
	}
	if len(l.trans) > 0 && l.zones[l.trans[0].index].isDST {
		for i := int(l.trans[0].index) - 1; i >= 0; i-- {
			if !l.zones[i].isDST {
				return i
			}
		}
	}
	for i := range l.zones {
		if !l.zones[i].isDST {
			return i
		}
	}
	return 0
}

// lookupName is the offset of a zone abbreviation, preferring one in force at unix.
func (l *Location) lookupName(name string, unix int64) (offset int, ok bool) {
	l = l.get()
	for i := range l.zones {
		z := &l.zones[i]
		if z.name != name {
			continue
		}
		if current, itsOffset, _, _, _ := l.lookup(unix - int64(z.offset)); current == name {
			return itsOffset, true
		}
		if !ok {
			offset, ok = z.offset, true
		}
	}
	return offset, ok
}

// A rule of when daylight saving begins or ends: a day and a second of it.
type changeRule struct {
	kind           byte // 'J': day 1–365 without 29 February; 'N': day 0–365; 'M': weekday of a week of a month
	day, week, mon int
	second         int
}

// tzRule applies a POSIX TZ string, such as CET-1CEST,M3.5.0,M10.5.0/3.
func tzRule(s string, lastChange, sec int64) (name string, offset int, start, end int64, isDST, ok bool) {
	stdName, s, ok1 := tzName(s)
	stdOffset, s, ok2 := tzOffset(s)
	if !ok1 || !ok2 {
		return
	}
	stdOffset = -stdOffset
	if s == "" || s[0] == ',' {
		return stdName, stdOffset, lastChange, omega, false, true
	}
	dstName, s, ok1 := tzName(s)
	if !ok1 {
		return
	}
	dstOffset := stdOffset + 3600
	if s != "" && s[0] != ',' {
		var o int
		if o, s, ok2 = tzOffset(s); !ok2 {
			return
		}
		dstOffset = -o
	}
	if s == "" {
		s = ",M3.2.0,M11.1.0"
	}
	if s[0] != ',' && s[0] != ';' {
		return
	}
	begin, s, ok1 := tzChange(s[1:])
	if !ok1 || s == "" || s[0] != ',' {
		return
	}
	finish, s, ok2 := tzChange(s[1:])
	if !ok2 || s != "" {
		return
	}
	year, _, _ := dateOf(floorDiv(sec, secondsPerDay))
	yearStart := daysOf(year, January, 1) * secondsPerDay
	yearEnd := yearStart + 365*secondsPerDay // a leap day too early, as Go has it
	inYear := sec - yearStart
	from := int64(begin.secondsInto(year) - stdOffset)
	to := int64(finish.secondsInto(year) - dstOffset)
	offset, name, isDST = dstOffset, dstName, true
	otherOffset, otherName, otherDST := stdOffset, stdName, false
	if to < from { // the southern half: the year begins and ends in daylight saving time
		from, to = to, from
		offset, otherOffset = otherOffset, offset
		name, otherName = otherName, name
		isDST, otherDST = otherDST, isDST
	}
	switch {
	case inYear < from:
		return otherName, otherOffset, yearStart, from + yearStart, otherDST, true
	case inYear >= to:
		return otherName, otherOffset, to + yearStart, yearEnd, otherDST, true
	}
	return name, offset, from + yearStart, to + yearStart, isDST, true
}

func tzName(s string) (name, rest string, ok bool) {
	if s == "" {
		return
	}
	if s[0] == '<' {
		for i := range s {
			if s[i] == '>' {
				return s[1:i], s[i+1:], true
			}
		}
		return
	}
	i := 0
	for i < len(s) && !isDigit(s, i) && s[i] != ',' && s[i] != '-' && s[i] != '+' {
		i++
	}
	return s[:i], s[i:], i >= 3
}

func tzOffset(s string) (offset int, rest string, ok bool) {
	if s == "" {
		return
	}
	sign := 1
	if s[0] == '+' || s[0] == '-' {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	limit := 24 * 7
	for unit := 3600; unit > 0; unit /= 60 {
		var n int
		if n, s, ok = tzNumber(s, 0, limit); !ok {
			return 0, "", false
		}
		offset += n * unit
		if s == "" || s[0] != ':' {
			break
		}
		s = s[1:]
		limit = 59
	}
	return sign * offset, s, true
}

func tzNumber(s string, least, most int) (n int, rest string, ok bool) {
	i := 0
	for ; isDigit(s, i); i++ {
		if n = n*10 + int(s[i]-'0'); n > most {
			return 0, "", false
		}
	}
	return n, s[i:], i > 0 && n >= least
}

func tzChange(s string) (r changeRule, rest string, ok bool) {
	if s == "" {
		return
	}
	switch {
	case s[0] == 'J':
		r.kind = 'J'
		r.day, s, ok = tzNumber(s[1:], 1, 365)
	case s[0] == 'M':
		r.kind = 'M'
		if r.mon, s, ok = tzNumber(s[1:], 1, 12); !ok || s == "" || s[0] != '.' {
			return r, "", false
		}
		if r.week, s, ok = tzNumber(s[1:], 1, 5); !ok || s == "" || s[0] != '.' {
			return r, "", false
		}
		r.day, s, ok = tzNumber(s[1:], 0, 6)
	default:
		r.kind = 'N'
		r.day, s, ok = tzNumber(s, 0, 365)
	}
	if !ok {
		return r, "", false
	}
	r.second = 2 * 3600
	if s != "" && s[0] == '/' {
		r.second, s, ok = tzOffset(s[1:])
	}
	return r, s, ok
}

func (r *changeRule) secondsInto(year int) int {
	day := r.day
	switch r.kind {
	case 'J':
		day--
		if isLeap(year) && r.day >= 60 {
			day++
		}
	case 'M':
		first := daysOf(year, Month(r.mon), 1)
		day = r.day - int(weekdayOf(first))
		if day < 0 {
			day += 7
		}
		for week := 1; week < r.week && day+7 < daysIn(Month(r.mon), year); week++ {
			day += 7
		}
		day += int(first - daysOf(year, January, 1))
	}
	return day*secondsPerDay + r.second
}
