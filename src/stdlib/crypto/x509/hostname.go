// Hosts: what certificates' names match them. A host that is wanted is taken apart once, and then
// held against each pattern.

package x509

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
)

type HostnameError struct {
	Certificate *Certificate
	Host        string
}

func (h HostnameError) Error() string {
	c, isAddress := h.Certificate, net.ParseIP(h.Host) != nil
	wanted := wantedHost{labels: hostLabels(h.Host)}
	var list, kind string
	var count int
	switch {
	case !c.hasNames() && wanted.fits(c.Subject.CommonName):
		return "x509: certificate relies on legacy Common Name field, use SANs instead"
	case isAddress && len(c.IPAddresses) == 0:
		return "x509: cannot validate certificate for " + h.Host +
			" because it doesn't contain any IP SANs"
	case isAddress:
		list, count, kind = joined(c.IPAddresses, net.IP.String), len(c.IPAddresses), "IP SANs"
	default:
		own := func(name string) string { return name }
		list, count, kind = joined(c.DNSNames, own), len(c.DNSNames), "names"
	}
	switch {
	case count >= tooMany:
		return fmt.Sprintf("x509: certificate is valid for %d %s, but none matched %s",
			count, kind, h.Host)
	case list == "":
		return "x509: certificate is not valid for any names, but wanted to match " + h.Host
	}
	return "x509: certificate is valid for " + list + ", not " + h.Host
}

// tooMany names are counted in errors, and not listed.
const tooMany = 100

// joined has the texts with commas between, unless there are too many to list.
func joined[T any](all []T, text func(T) string) string {
	if len(all) >= tooMany {
		return ""
	}
	texts := make([]string, len(all))
	for i, one := range all {
		texts[i] = text(one)
	}
	return strings.Join(texts, ", ")
}

// lower leaves what is not ASCII as it is.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

func hostLabels(host string) []string {
	return strings.Split(lower(strings.TrimSuffix(host, ".")), ".")
}

// isLabel says whether it may be a label of a host's name.
func isLabel(label string) bool {
	isOther := func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') &&
			c != '-' && c != '_'
	}
	return label != "" && label[0] != '-' && !strings.ContainsFunc(label, isOther)
}

// areLabels says whether there are labels, and all of them such.
func areLabels(labels []string) bool {
	for _, label := range labels {
		if !isLabel(label) {
			return false
		}
	}
	return len(labels) > 0
}

// isPattern says whether a certificate may have it for hosts. The first label of several may be an
// asterisk.
func isPattern(name string) bool {
	return areLabels(strings.Split(strings.TrimPrefix(name, "*."), "."))
}

// A wantedHost is what a certificate must be for: an address, or the name of a host, or, where its
// labels are none, a text that only the same matches.
type wantedHost struct {
	ip     net.IP
	text   string
	labels []string
	isHost bool
}

func newWantedHost(h string) wantedHost {
	inside := h
	if open, isOpen := strings.CutPrefix(h, "["); isOpen {
		if bare, isClosed := strings.CutSuffix(open, "]"); isClosed && bare != "" {
			inside = bare
		}
	}
	if addr, err := netip.ParseAddr(inside); err == nil {
		ip := net.IP(addr.AsSlice())
		return wantedHost{ip: ip, text: ip.String()}
	}
	labels := hostLabels(h)
	return wantedHost{text: h, labels: labels, isHost: areLabels(labels)}
}

// fits says whether the labels are those of the pattern, but that an asterisk is for any.
func (w *wantedHost) fits(pattern string) bool {
	if pattern == "" {
		return false
	}
	own := strings.Split(lower(pattern), ".")
	if own[0] == "*" && len(own) == len(w.labels) {
		own[0] = w.labels[0]
	}
	return slices.Equal(own, w.labels)
}

func (w *wantedHost) matches(pattern string) bool {
	if w.isHost && isPattern(pattern) {
		return w.fits(pattern)
	}
	// What is no host may still be the same.
	return w.text != "" && w.text != "." && pattern != "." && lower(pattern) == lower(w.text)
}

func (c *Certificate) VerifyHostname(h string) error {
	wanted := newWantedHost(h)
	isFor := false
	if wanted.ip != nil {
		isFor = slices.ContainsFunc(c.IPAddresses, wanted.ip.Equal)
	} else {
		isFor = slices.ContainsFunc(c.DNSNames, wanted.matches)
	}
	if isFor {
		return nil
	}
	return HostnameError{c, wanted.text}
}
