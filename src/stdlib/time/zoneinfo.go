package time

import (
	"errors"
	"internal/zones"
	"sync/atomic"
)

// Time zones. A location is a row of spans, in each of which one zone is in force; behind the last of
// them a rule may go on for ever. What was looked up last is kept, because times come in clusters; it
// is no part of a location, for two that are equal are deeply equal whatever was asked of them.

// The first and the last second there is.
const (
	firstSecond = -1 << 63
	lastSecond  = 1<<63 - 1
)

type zone struct {
	name   string
	offset int  // seconds east of UTC
	summer bool // daylight saving time
}

// A span is from a second of Unix time until before another.
type span struct {
	from, to int64
	zone     *zone
}

// A Location says which zones are in force in a place at which times.
type Location struct {
	name  string
	clock any // a *clock; any, so that programs which do no more than hold times do not need that type
}

// A clock has what a location shows.
type clock struct {
	zones []zone
	spans []span // one at least, the first from the first second on
	rule  *rule  // in place of the last span, if there is one
}

var latest atomic.Pointer[looked]

// A looked is what a lookup has found.
type looked struct {
	in *clock
	found
}

// What a lookup has found holds for these seconds.
type found struct {
	from, to int64
	span     span
}

var utcZone = zone{name: "UTC"}

var utcPlace = Location{
	name: "UTC",
	clock: &clock{
		zones: []zone{utcZone},
		spans: []span{{firstSecond, lastSecond, &utcZone}},
	},
}

// systemPlace stands for the location that the environment names, which is loaded when it is needed.
var systemPlace Location
var loadedLocal atomic.Pointer[Location]

// UTC is Universal Coordinated Time.
var UTC *Location = &utcPlace

// Local is the system's location.
var Local *Location = &systemPlace

// place is what l stands for.
func (l *Location) place() *Location {
	switch l {
	case nil:
		return &utcPlace
	case &systemPlace:
		if loadedLocal.Load() == nil {
			// Of several that are loaded at once all use the first.
			loadedLocal.CompareAndSwap(nil, systemLocation())
		}
		return loadedLocal.Load()
	}
	if l.clock == nil { // new(Location)
		return &utcPlace
	}
	return l
}

// String is the name that the location was made with.
func (l *Location) String() string {
	if l != nil && l != &systemPlace {
		return l.name
	}
	return l.place().name
}

// lookup finds what is in force at a second.
func (l *Location) lookup(sec int64) *found {
	var c *clock
	if l != nil {
		c, _ = l.clock.(*clock)
	}
	if c == nil {
		c = l.place().clock.(*clock)
	}
	got := latest.Load()
	if got == nil || got.in != c || sec < got.from || sec >= got.to {
		got = &looked{c, *c.find(sec)}
		latest.Store(got)
	}
	return &got.found
}

// zoneAt is the zone in force at a second.
func (l *Location) zoneAt(sec int64) *zone { return l.lookup(sec).span.zone }

func (c *clock) find(sec int64) *found {
	// At lo a span begins that is not behind sec, at hi one that is.
	lo, hi := 0, len(c.spans)
	for lo+1 < hi {
		middle := (lo + hi) / 2
		if c.spans[middle].from > sec {
			hi = middle
		} else {
			lo = middle
		}
	}
	if hi == len(c.spans) && c.rule != nil {
		return c.rule.find(sec, c.spans[lo].from)
	}
	s := c.spans[lo]
	return &found{s.from, s.to, s}
}

// named is the offset of the zone with that abbreviation, of several the one in force when clocks show
// the seconds, or else the first.
func (l *Location) named(name string, shown int64) (offset int, ok bool) {
	l = l.place()
	if l == &utcPlace {
		return 0, false
	}
	zones := l.clock.(*clock).zones
	for i := range zones {
		z := &zones[i]
		if z.name != name {
			continue
		}
		if current := l.zoneAt(shown - int64(z.offset)); current.name == name {
			return current.offset, true
		}
		if !ok {
			offset, ok = z.offset, true
		}
	}
	return offset, ok
}

// unix is when clocks in l show these seconds. Which offset is in force depends on the time, which
// depends on the offset: the span that the shown seconds would be in themselves is the right one, or
// the right one's neighbour.
func (l *Location) unix(shown int64) int64 {
	if l == &utcPlace {
		return shown
	}
	guess := l.lookup(shown).span
	sec := shown - int64(guess.zone.offset)
	if sec < guess.from || sec >= guess.to {
		sec = shown - int64(l.zoneAt(sec).offset)
	}
	return sec
}

// zone is the one in force in t's location.
func (t Time) zone() *zone {
	if t.loc == nil {
		return &utcZone
	}
	return t.loc.zoneAt(t.sinceEpoch())
}

// Zone gives the abbreviation of the zone in force, and its seconds east of UTC.
func (t Time) Zone() (name string, offset int) {
	z := t.zone()
	return z.name, z.offset
}

// IsDST says whether daylight saving time is in force.
func (t Time) IsDST() bool { return t.zone().summer }

// ZoneBounds gives the times when the zone that is in force at t began, and when it ends; zero times
// say never.
func (t Time) ZoneBounds() (start, end Time) {
	s := t.loc.lookup(t.sinceEpoch()).span
	bound := func(sec int64) Time {
		if sec == firstSecond || sec == lastSecond {
			return Time{}
		}
		return fromEpoch(sec, 0).at(t.Location())
	}
	return bound(s.from), bound(s.to)
}

// hourZones has the zones without a name whose offsets are hours: times of the same one have the same
// location, and can be compared by ==.
var hourZones [27]atomic.Pointer[Location]

// FixedZone makes a location in which one zone is always in force.
func FixedZone(name string, offset int) *Location {
	var kept *atomic.Pointer[Location]
	if hour := offset / 3600; name == "" && offset%3600 == 0 && -12 <= hour && hour <= 14 {
		kept = &hourZones[hour+12]
		if l := kept.Load(); l != nil {
			return l
		}
	}
	c := &clock{zones: []zone{{name, offset, false}}}
	c.spans = []span{{firstSecond, lastSecond, &c.zones[0]}}
	l := &Location{name, c}
	if kept != nil && !kept.CompareAndSwap(nil, l) {
		return kept.Load()
	}
	return l
}

// systemLocation is what TZ names: nothing means /etc/localtime, an empty name UTC, and else it is a
// path or the name of a zone.
func systemLocation() *Location {
	path, named := "", ""
	switch tz, ok := getenv("TZ"); {
	case !ok:
		path = "/etc/localtime"
	case hasPrefix(tz, ":/"), hasPrefix(tz, "/"):
		if path = tz; tz[0] == ':' {
			path = tz[1:]
		}
	case hasPrefix(tz, ":"):
		named = tz[1:]
	default:
		named = tz
	}
	if path != "" {
		name := path
		if path == "/etc/localtime" {
			name = "Local"
		}
		if data, ok := readFile(path); ok {
			if l, err := LoadLocationFromTZData(name, data); err == nil {
				return l
			}
		}
	}
	if named != "" && named != "UTC" {
		if l, err := loadNamed(named); err == nil {
			l.name = "Local"
			return l
		}
	}
	return &utcPlace
}

var zoneFolders = [...]string{
	"/usr/share/zoneinfo/", "/usr/share/lib/zoneinfo/", "/usr/lib/locale/TZ/", "/etc/zoneinfo/",
}

var errZoneName = errors.New("time: invalid location name")

// LoadLocation gives the location of a name such as Europe/Zurich, from the folder that ZONEINFO names
// or the system's, or from the data that package time/tzdata brings.
func LoadLocation(name string) (*Location, error) {
	switch {
	case name == "", name == "UTC":
		return UTC, nil
	case name == "Local":
		return Local, nil
	case name[0] == '/', name[0] == '\\':
		return nil, errZoneName
	}
	for i := range name {
		if hasPrefix(name[i:], "..") {
			return nil, errZoneName
		}
	}
	return loadNamed(name)
}

func loadNamed(name string) (*Location, error) {
	if dir, ok := getenv("ZONEINFO"); ok && dir != "" {
		if data, ok := readFile(dir + "/" + name); ok {
			return LoadLocationFromTZData(name, data)
		}
	}
	for _, folder := range zoneFolders {
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
