// Package tzdata is where Go has zones for systems without them. Here they come from the system.
package tzdata
