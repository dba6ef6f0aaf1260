// Verification: a search for chains from a certificate to a root, and what the chains that it finds
// must keep to.

package x509

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
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

func (c *Certificate) hasNames() bool { return extension(idSubjectAltName, c.Extensions) != nil }

type UnknownAuthorityError struct {
	Cert *Certificate

	// Why what might have been the authority is not.
	hint          error
	hintCandidate *Certificate
}

func (e UnknownAuthorityError) Error() string {
	const text = "x509: certificate signed by unknown authority"
	if e.hint == nil {
		return text
	}
	return fmt.Sprintf("%s (possibly because of %q while trying to verify candidate authority "+
		"certificate %q)", text, e.hint, e.hintCandidate.label())
}

// label is what errors call a certificate.
func (c *Certificate) label() string {
	if name := c.Subject.CommonName; name != "" {
		return name
	}
	if len(c.Subject.Organization) > 0 {
		return c.Subject.Organization[0]
	}
	return "serial:" + c.SerialNumber.String()
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

// fits looks at a certificate for itself, and at the chain of those before it, of which the last
// is one that it has issued. The options must have the time.
func (c *Certificate) fits(isIntermediate bool, chain []*Certificate, opts *VerifyOptions) error {
	reason, detail := InvalidReason(-1), ""
	now, below := opts.CurrentTime, len(chain)
	switch {
	case len(c.UnhandledCriticalExtensions) > 0:
		return UnhandledCriticalExtension{}
	case below > 0 && !bytes.Equal(chain[below-1].RawIssuer, c.RawSubject):
		reason = NameMismatch
	case now.Before(c.NotBefore):
		reason, detail = Expired, outside(now, "before", c.NotBefore)
	case now.After(c.NotAfter):
		reason, detail = Expired, outside(now, "after", c.NotAfter)
	case isIntermediate && !(c.IsCA && c.BasicConstraintsValid):
		// A root is trusted for what it is, and may be an old one that does not say so.
		reason = NotAuthorizedToSign
	case c.BasicConstraintsValid && c.MaxPathLen >= 0 && below > c.MaxPathLen+1:
		reason = TooManyIntermediates
	default:
		return nil
	}
	return CertificateInvalidError{c, reason, detail}
}

func outside(now time.Time, side string, limit time.Time) string {
	return fmt.Sprintf("current time %s is %s %s",
		now.Format(time.RFC3339), side, limit.Format(time.RFC3339))
}

func (c *Certificate) Verify(opts VerifyOptions) ([][]*Certificate, error) {
	isBare := func(m *member) bool { return len(m.cert.Raw) == 0 }
	if len(c.Raw) == 0 || opts.Intermediates != nil &&
		slices.ContainsFunc(opts.Intermediates.members, isBare) {
		return nil, errors.New("x509: missing ASN.1 contents; use ParseCertificate")
	}
	if opts.Roots == nil {
		roots, err := trustedRoots()
		if roots == nil {
			return nil, SystemRootsError{err}
		}
		opts.Roots = roots
	}
	if opts.CurrentTime.IsZero() {
		opts.CurrentTime = time.Now()
	}
	if err := c.fits(false, nil, &opts); err != nil {
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
	if usages := &opts.KeyUsages; len(*usages) == 0 {
		*usages = []ExtKeyUsage{ExtKeyUsageServerAuth}
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

// A fork is where a chain goes on in several ways: the chains found from there, the last error that
// a way ended with, and the first reason for which a candidate was turned down.
type fork struct {
	chain         []*Certificate
	found         [][]*Certificate
	err           error
	hint          error
	hintCandidate *Certificate
}

// chains are those that begin with this one and end with a root.
func (s *search) chains(chain []*Certificate) ([][]*Certificate, error) {
	f := fork{chain: chain}
	last := chain[len(chain)-1]
	for _, pool := range []*CertPool{s.opts.Roots, s.opts.Intermediates} {
		for _, parent := range pool.parents(last) {
			if s.checks == maxChecks {
				f.err = errTooManyChecks
			} else {
				s.checks++
				s.follow(&f, parent, pool == s.opts.Roots)
			}
			if f.err == errTooManyChecks {
				return f.result()
			}
		}
	}
	return f.result()
}

func (f *fork) result() ([][]*Certificate, error) {
	if len(f.found) > 0 {
		return f.found, nil
	}
	if f.err == nil {
		f.err = UnknownAuthorityError{f.chain[len(f.chain)-1], f.hint, f.hintCandidate}
	}
	return nil, f.err
}

// follow tries one way on.
func (s *search) follow(f *fork, parent *member, isRoot bool) {
	candidate := parent.cert
	if candidate.PublicKey == nil || candidate.isIn(f.chain) {
		return
	}
	// What the signature is worth is no fault of the search, what the candidate is may be.
	failed := f.chain[len(f.chain)-1].CheckSignatureFrom(candidate)
	if failed == nil {
		failed = candidate.fits(!isRoot, f.chain, s.opts)
		f.err = failed
	}
	if failed == nil && parent.constraint != nil {
		failed = parent.constraint(f.chain)
	}
	if failed != nil {
		if f.hint == nil {
			f.hint, f.hintCandidate = failed, candidate
		}
		return
	}
	found := [][]*Certificate{append(slices.Clone(f.chain), candidate)}
	if !isRoot {
		found, f.err = s.chains(found[0])
	}
	f.found = append(f.found, found...)
}

// isIn says whether the chain has one with the same subject, key and alternative names. One of the
// same subject and key decides if it or the certificate has no alternative names.
func (c *Certificate) isIn(chain []*Certificate) bool {
	names := extension(idSubjectAltName, c.Extensions)
	for _, cert := range chain {
		if !bytes.Equal(c.RawSubject, cert.RawSubject) ||
			!bytes.Equal(c.RawSubjectPublicKeyInfo, cert.RawSubjectPublicKeyInfo) {
			continue
		}
		switch others := extension(idSubjectAltName, cert.Extensions); {
		case names == nil || others == nil:
			return names == others
		case bytes.Equal(names.Value, others.Value):
			return true
		}
	}
	return false
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
