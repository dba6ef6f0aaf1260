// Package tzdata has the zones of the IANA database, for systems without them. It is imported for
// its effect: time.LoadLocation asks it last.
package tzdata

import "internal/zones"

//go:effect zones.Embedded
func init() { zones.Embedded = find }

// find gives the data of the zone of exactly that name.
func find(name string) (data []byte, ok bool)
