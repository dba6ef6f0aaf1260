package x509

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"
)

type InvalidReason int

const (
	NotAuthorizedToSign InvalidReason = iota
	Expired
	CANotAuthorizedForThisName
	TooManyIntermediates
	IncompatibleUsage
	NameMismatch
	NameConstraintsWithoutSANs
	UnconstrainedName
	TooManyConstraints
	CANotAuthorizedForExtKeyUsage
	NoValidChains
)

type CertificateInvalidError struct {
	Cert   *Certificate
	Reason InvalidReason
	Detail string
}

// reasons has the texts, of which those with a colon at the end are followed by details.
var reasons = map[InvalidReason]string{
	NotAuthorizedToSign: "certificate is not authorized to sign other certificates",
	Expired:             "certificate has expired or is not yet valid:",
	CANotAuthorizedForThisName: "a root or intermediate certificate is not authorized to sign " +
		"for this name:",
	CANotAuthorizedForExtKeyUsage: "a root or intermediate certificate is not authorized for " +
		"an extended key usage:",
	TooManyIntermediates: "too many intermediates for path length constraint",
	IncompatibleUsage:    "certificate specifies an incompatible key usage",
	NameMismatch:         "issuer name does not match subject from issuing certificate",
	NameConstraintsWithoutSANs: "issuer has name constraints but leaf doesn't have a SAN " +
		"extension",
	UnconstrainedName: "issuer has name constraints but leaf contains unknown or " +
		"unconstrained name:",
	NoValidChains: "no valid chains built",
}

func (e CertificateInvalidError) Error() string {
	text := reasons[e.Reason]
	switch {
	case text == "":
		return "x509: unknown error"
	case e.Reason == NoValidChains && e.Detail != "":
		text += ": " + e.Detail
	case strings.HasSuffix(text, ":"):
		text += " " + e.Detail
	}
	return "x509: " + text
}

type HostnameError struct {
	Certificate *Certificate
	Host        string
}

func (h HostnameError) Error() string {
	c := h.Certificate
	const many = 100
	if !c.hasNames() && matchHost(c.Subject.CommonName, hostLabels(h.Host)) {
		return "x509: certificate relies on legacy Common Name field, use SANs instead"
	}
	valid, kind := c.DNSNames, "names"
	if net.ParseIP(h.Host) != nil {
		if len(c.IPAddresses) == 0 {
			return "x509: cannot validate certificate for " + h.Host +
				" because it doesn't contain any IP SANs"
		}
		valid, kind = nil, "IP SANs"
		for _, ip := range c.IPAddresses {
			valid = append(valid, ip.String())
		}
	}
	if len(valid) >= many {
		return fmt.Sprintf(
			"x509: certificate is valid for %d %s, but none matched %s", len(valid), kind, h.Host)
	}
	list := strings.Join(valid, ", ")
	if list == "" {
		return "x509: certificate is not valid for any names, but wanted to match " + h.Host
	}
	return "x509: certificate is valid for " + list + ", not " + h.Host
}

func (c *Certificate) hasNames() bool { return extension(idSubjectAltName, c.Extensions) != nil }

type UnknownAuthorityError struct {
	Cert *Certificate

	// Why what might have been the authority is not.
	hint          error
	hintCandidate *Certificate
}

func (e UnknownAuthorityError) Error() string {
	text := "x509: certificate signed by unknown authority"
	if e.hint == nil {
		return text
	}
	name := e.hintCandidate.Subject.CommonName
	if name == "" {
		if organizations := e.hintCandidate.Subject.Organization; len(organizations) > 0 {
			name = organizations[0]
		} else {
			name = "serial:" + e.hintCandidate.SerialNumber.String()
		}
	}
	return text + fmt.Sprintf(" (possibly because of %q while trying to verify "+
		"candidate authority certificate %q)", e.hint, name)
}

type SystemRootsError struct {
	Err error
}

func (se SystemRootsError) Error() string {
	text := "x509: failed to load system roots and no roots provided"
	if se.Err != nil {
		text += "; " + se.Err.Error()
	}
	return text
}

func (se SystemRootsError) Unwrap() error { return se.Err }

type VerifyOptions struct {
	DNSName                   string
	Intermediates             *CertPool
	Roots                     *CertPool
	CurrentTime               time.Time
	KeyUsages                 []ExtKeyUsage
	MaxConstraintComparisions int
	CertificatePolicies       []OID
}

// isValid looks at a certificate for itself, and at the chain of those before it, of which the last
// is one that it has issued.
func (c *Certificate) isValid(
	isIntermediate bool, chain []*Certificate, opts *VerifyOptions,
) error {
	if len(c.UnhandledCriticalExtensions) > 0 {
		return UnhandledCriticalExtension{}
	}
	if n := len(chain); n > 0 && !bytes.Equal(chain[n-1].RawIssuer, c.RawSubject) {
		return CertificateInvalidError{c, NameMismatch, ""}
	}
	now := opts.CurrentTime
	if now.IsZero() {
		now = time.Now()
	}
	expired := func(how string, limit time.Time) error {
		detail := "current time " + now.Format(time.RFC3339) + how + limit.Format(time.RFC3339)
		return CertificateInvalidError{c, Expired, detail}
	}
	if now.Before(c.NotBefore) {
		return expired(" is before ", c.NotBefore)
	}
	if now.After(c.NotAfter) {
		return expired(" is after ", c.NotAfter)
	}
	// A root is trusted for what it is, and may be an old one that does not say so.
	if isIntermediate && (!c.BasicConstraintsValid || !c.IsCA) {
		return CertificateInvalidError{c, NotAuthorizedToSign, ""}
	}
	if c.BasicConstraintsValid && c.MaxPathLen >= 0 && len(chain)-1 > c.MaxPathLen {
		return CertificateInvalidError{c, TooManyIntermediates, ""}
	}
	return nil
}

func (c *Certificate) Verify(opts VerifyOptions) ([][]*Certificate, error) {
	unparsed := errors.New("x509: missing ASN.1 contents; use ParseCertificate")
	if len(c.Raw) == 0 {
		return nil, unparsed
	}
	for i := range opts.Intermediates.len() {
		if len(opts.Intermediates.certs[i].cert.Raw) == 0 {
			return nil, unparsed
		}
	}
	if opts.Roots == nil {
		roots, err := systemRoots()
		if roots == nil {
			return nil, SystemRootsError{err}
		}
		opts.Roots = roots
	}
	if err := c.isValid(false, nil, &opts); err != nil {
		return nil, err
	}
	if opts.DNSName != "" {
		if err := c.VerifyHostname(opts.DNSName); err != nil {
			return nil, err
		}
	}
	chains := [][]*Certificate{{c}}
	if !opts.Roots.contains(c) {
		s := search{opts: &opts}
		var err error
		if chains, err = s.chains(chains[0]); err != nil {
			return nil, err
		}
	}
	if len(opts.KeyUsages) == 0 {
		opts.KeyUsages = []ExtKeyUsage{ExtKeyUsageServerAuth}
	}
	return c.allowed(chains, &opts)
}

// allowed leaves the chains that keep to what their certificates say of policies, usages and names.
func (c *Certificate) allowed(
	chains [][]*Certificate, opts *VerifyOptions,
) ([][]*Certificate, error) {
	var good [][]*Certificate
	var badPolicies, badUsages int
	var badName error
	for _, chain := range chains {
		if !policiesAllow(chain, opts) {
			badPolicies++
		} else if !usagesAllow(chain, opts.KeyUsages) {
			badUsages++
		} else if err := namesAllow(chain); err != nil {
			if badName == nil {
				badName = CertificateInvalidError{c, CANotAuthorizedForThisName, err.Error()}
			}
		} else if !slices.ContainsFunc(chain, (*Certificate).isDistrusted) {
			good = append(good, chain)
		}
	}
	if len(good) > 0 {
		return good, nil
	}
	if badName != nil {
		return nil, badName
	}
	if badUsages > 0 && badPolicies == 0 {
		return nil, CertificateInvalidError{c, IncompatibleUsage, ""}
	}
	var details []string
	if badUsages > 0 {
		details = append(details,
			fmt.Sprintf("%d candidate chains with incompatible key usage", badUsages))
	}
	if badPolicies > 0 {
		details = append(details,
			fmt.Sprintf("%d candidate chains with invalid policies", badPolicies))
	}
	return nil, CertificateInvalidError{c, NoValidChains, strings.Join(details, ", ")}
}

// A search is one for chains, of which so many signatures are checked at most.
type search struct {
	opts   *VerifyOptions
	checks int
}

const maxChecks = 100

var errTooManyChecks = errors.New("x509: signature check attempts limit reached " +
	"while verifying certificate chain")

// chains are those that begin with this one and end with a root.
func (s *search) chains(chain []*Certificate) (found [][]*Certificate, err error) {
	c := chain[len(chain)-1]
	var hint error
	var hintCandidate *Certificate
	for _, pool := range []*CertPool{s.opts.Roots, s.opts.Intermediates} {
		isRoot := pool == s.opts.Roots
		for _, parent := range pool.parents(c) {
			if s.checks++; s.checks > maxChecks {
				err = errTooManyChecks
				break
			}
			candidate := parent.cert
			if candidate.PublicKey == nil || candidate.isIn(chain) {
				continue
			}
			// What the signature is worth is no fault of the search, what the candidate is may be.
			failed := c.CheckSignatureFrom(candidate)
			if failed == nil {
				failed = candidate.isValid(!isRoot, chain, s.opts)
				err = failed
			}
			if failed == nil && parent.constraint != nil {
				failed = parent.constraint(chain)
			}
			if failed != nil {
				if hint == nil {
					hint, hintCandidate = failed, candidate
				}
				continue
			}
			longer := append(slices.Clone(chain), candidate)
			if isRoot {
				found = append(found, longer)
				continue
			}
			var more [][]*Certificate
			more, err = s.chains(longer)
			found = append(found, more...)
			if err == errTooManyChecks {
				break
			}
		}
		if err == errTooManyChecks {
			break
		}
	}
	if len(found) > 0 {
		return found, nil
	}
	if err == nil {
		err = UnknownAuthorityError{c, hint, hintCandidate}
	}
	return nil, err
}

// isIn says whether the chain has one with the same subject, key and alternative names.
func (c *Certificate) isIn(chain []*Certificate) bool {
	own := extension(idSubjectAltName, c.Extensions)
	for _, cert := range chain {
		if !bytes.Equal(c.RawSubject, cert.RawSubject) ||
			!bytes.Equal(c.RawSubjectPublicKeyInfo, cert.RawSubjectPublicKeyInfo) {
			continue
		}
		other := extension(idSubjectAltName, cert.Extensions)
		if own == nil || other == nil {
			return own == other
		}
		if bytes.Equal(own.Value, other.Value) {
			return true
		}
	}
	return false
}

// isHost says whether it may be the name of a host, or a pattern for such, whose first label may be
// an asterisk.
func isHost(host string, isPattern bool) bool {
	if !isPattern {
		host = strings.TrimSuffix(host, ".")
	}
	if host == "*" {
		return false
	}
	for i, label := range strings.Split(host, ".") {
		if label == "" {
			return false
		}
		if isPattern && i == 0 && label == "*" {
			continue
		}
		for j, c := range label {
			isLetter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
			if !isLetter && c != '_' && (c != '-' || j == 0) {
				return false
			}
		}
	}
	return true
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

func matchHost(pattern string, labels []string) bool {
	if pattern == "" {
		return false
	}
	own := strings.Split(lower(pattern), ".")
	if len(own) > 0 && len(own) == len(labels) && own[0] == "*" {
		return slices.Equal(own[1:], labels[1:])
	}
	return slices.Equal(own, labels)
}

func (c *Certificate) VerifyHostname(h string) error {
	bare := h
	if len(h) >= 3 && h[0] == '[' && h[len(h)-1] == ']' {
		bare = h[1 : len(h)-1]
	}
	if addr, err := netip.ParseAddr(bare); err == nil {
		ip := net.IP(addr.AsSlice())
		if slices.ContainsFunc(c.IPAddresses, ip.Equal) {
			return nil
		}
		return HostnameError{c, ip.String()}
	}
	name := lower(h)
	labels, valid := hostLabels(name), isHost(name, false)
	for _, pattern := range c.DNSNames {
		if valid && isHost(pattern, true) {
			if matchHost(pattern, labels) {
				return nil
			}
			continue
		}
		// What is no host may still be the same.
		if name != "" && name != "." && pattern != "." && lower(pattern) == name {
			return nil
		}
	}
	return HostnameError{c, h}
}

// usagesAllow says whether one of the usages is among those of each certificate that has some.
func usagesAllow(chain []*Certificate, usages []ExtKeyUsage) bool {
	if slices.Contains(usages, ExtKeyUsageAny) {
		return true
	}
	left := slices.Clone(usages)
	for _, cert := range slices.Backward(chain) {
		own := cert.ExtKeyUsage
		if len(own)+len(cert.UnknownExtKeyUsage) == 0 || slices.Contains(own, ExtKeyUsageAny) {
			continue
		}
		left = slices.DeleteFunc(left, func(usage ExtKeyUsage) bool {
			return !slices.Contains(own, usage)
		})
		if len(left) == 0 {
			return false
		}
	}
	return true
}

// distrusted are the hashes of keys that nobody should trust, as Go knows them.
var distrusted = []string{
	"ebed6475c2c2d80fcb199f3fe8dd6e6b3ce60b77eb15d4e42c3dec0c6f5b5105",
	"49dd353dc2b919a3770645117d0e60c16115e7d1bc259eefe734b00ea434fe5f",
	"e0254c7fcdc265e2f0f8a428dabb75ab4ae039b4872d62f5ee57f0877d5a8a41",
	"5c0660a2b164910d8ff589c18e14552e9e0ec237dcefe2cb736d41a4811f81a0",
	"43bffa19d6ef651451f6841e019931e96f6f2eaeff28ab4b6f1ce4576de2717b",
	"63ecefee431d49523bc1136c4e72d0206a477086caf606cd5cf025686c109cf8",
	"ec4ffa1ad0ac88081314b7aaffef6a91f97cd57291bb5ba686c5415f5eb4f6b6",
	"92c063d67e8f14db71d288e11266ffdaf69cbf115f7bab14f3bc2f68d25e0e30",
}

func (c *Certificate) isDistrusted() bool {
	sum := sha256.Sum256(c.RawSubjectPublicKeyInfo)
	return slices.Contains(distrusted, hex.EncodeToString(sum[:]))
}
