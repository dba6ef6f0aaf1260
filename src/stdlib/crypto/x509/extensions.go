// Extensions of certificates: their identifiers, and how each kind fills the certificate's fields.

package x509

import (
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"internal/der"
	"net"
	"strings"
)

var (
	idSubjectKeyId     = extensionID(14)
	idKeyUsage         = extensionID(15)
	idSubjectAltName   = extensionID(17)
	idBasicConstraints = extensionID(19)
	idCRLNumber        = extensionID(20)
	idReasonCode       = extensionID(21)
	idNameConstraints  = extensionID(30)
	idCRLDistribution  = extensionID(31)
	idPolicies         = extensionID(32)
	idAuthorityKeyId   = extensionID(35)
	idExtKeyUsage      = extensionID(37)

	idAuthorityInfo = identifier{1, 3, 6, 1, 5, 5, 7, 1, 1}
	idOCSP          = identifier{1, 3, 6, 1, 5, 5, 7, 48, 1}
	idIssuers       = identifier{1, 3, 6, 1, 5, 5, 7, 48, 2}
)

func extensionID(n int) identifier { return identifier{2, 5, 29, n} }

// isUsual is the number of an identifier that extensionID could have made.
func isUsual(id identifier) (n int, ok bool) {
	if len(id) != 4 || id[0] != 2 || id[1] != 5 || id[2] != 29 {
		return 0, false
	}
	return id[3], true
}

// extension is the extension of that kind, or nil.
func extension(id identifier, extensions []pkix.Extension) *pkix.Extension {
	for i := range extensions {
		if extensions[i].Id.Equal(id) {
			return &extensions[i]
		}
	}
	return nil
}

// takeExtensions fills the fields that extensions tell.
func (c *Certificate) takeExtensions() (err error) {
	for i := 0; i < len(c.Extensions) && err == nil; i++ {
		err = c.takeOrList(&c.Extensions[i])
	}
	return err
}

// takeOrList lists a critical extension that is not understood.
func (c *Certificate) takeOrList(e *pkix.Extension) error {
	known, err := c.take(*e)
	if e.Critical && !known && err == nil {
		c.UnhandledCriticalExtensions = append(c.UnhandledCriticalExtensions, e.Id)
	}
	return err
}

// take says whether the extension is known, and all in it understood.
func (c *Certificate) take(e pkix.Extension) (known bool, err error) {
	value := der.Text(e.Value)
	number, ok := isUsual(e.Id)
	if !ok {
		if e.Id.Equal(idAuthorityInfo) {
			return true, c.takeAuthorityInfo(e.Critical, value)
		}
		return false, nil
	}
	known = true
	switch number {
	case 14:
		if e.Critical {
			return true, errors.New("x509: subject key identifier incorrectly marked critical")
		}
		id, ok := value.Read(der.OctetString)
		if !ok {
			return true, invalid("subject key identifier")
		}
		c.SubjectKeyId = id
	case 15:
		bits, ok := value.BitString()
		if !ok {
			return true, invalid("key usage")
		}
		c.KeyUsage = 0
		for i := range keyUsages {
			c.KeyUsage |= KeyUsage(bits.At(i) << i)
		}
	case 17:
		n, err := parseNames(value)
		if err != nil {
			return true, err
		}
		c.DNSNames, c.EmailAddresses, c.IPAddresses, c.URIs = n.dns, n.emails, n.ips, n.uris
		known = len(n.dns)+len(n.emails)+len(n.ips)+len(n.uris) > 0
	case 19:
		err = c.takeBasicConstraints(value)
	case 30:
		return c.takeNameConstraints(e.Critical, value)
	case 31:
		err = c.takeDistribution(value)
	case 32:
		err = c.takePolicies(value)
	case 33:
		err = c.takePolicyMappings(value)
	case 35:
		c.AuthorityKeyId, err = authorityKey(e)
	case 36:
		err = c.takePolicyConstraints(value)
	case 37:
		err = c.takeExtKeyUsage(value)
	case 54:
		n, ok := value.Int(der.Integer)
		if !ok {
			return true, invalid("inhibit any policy extension")
		}
		c.InhibitAnyPolicy, c.InhibitAnyPolicyZero = n, n == 0
	default:
		known = false
	}
	return known, err
}

func (c *Certificate) takeBasicConstraints(value der.Text) error {
	const bad = "basic constraints"
	list, ok := value.Read(der.Sequence)
	if !ok {
		return invalid(bad)
	}
	if list.Peek(der.Boolean) {
		if c.IsCA, ok = list.Bool(); !ok {
			return invalid(bad)
		}
	}
	c.MaxPathLen = -1
	if list.Peek(der.Integer) {
		if c.MaxPathLen, ok = list.Int(der.Integer); !ok || c.MaxPathLen < 0 {
			return invalid(bad)
		}
	}
	c.BasicConstraintsValid = true
	c.MaxPathLenZero = c.MaxPathLen == 0
	return nil
}

func authorityKey(e pkix.Extension) (id []byte, err error) {
	if e.Critical {
		err = errors.New("x509: authority key identifier incorrectly marked critical")
		return nil, err
	}
	value := der.Text(e.Value)
	list, ok := value.Read(der.Sequence)
	present := false
	if ok {
		id, present, ok = list.Optional(der.Context)
	}
	switch {
	case !ok:
		return nil, invalid("authority key identifier")
	case !present:
		return nil, nil
	}
	return id, nil
}

func (c *Certificate) takeExtKeyUsage(value der.Text) error {
	list, ok := value.Read(der.Sequence)
	c.ExtKeyUsage, c.UnknownExtKeyUsage = nil, nil
	for ok && len(list) > 0 {
		var id identifier
		if id, ok = list.OID(); !ok {
			break
		}
		known := false
		for i := range extKeyUsages {
			if known = id.Equal(extKeyUsages[i].id); known {
				c.ExtKeyUsage = append(c.ExtKeyUsage, ExtKeyUsage(i))
				break
			}
		}
		if !known {
			c.UnknownExtKeyUsage = append(c.UnknownExtKeyUsage, id)
		}
	}
	if !ok {
		return invalid("extended key usages")
	}
	return nil
}

func (c *Certificate) takePolicies(value der.Text) error {
	const bad = "certificate policies"
	list, ok := value.Read(der.Sequence)
	if !ok {
		return invalid(bad)
	}
	seen := make(map[string]bool)
	c.PolicyIdentifiers = []asn1.ObjectIdentifier{}
	for len(list) > 0 {
		policy, _ := list.Read(der.Sequence)
		encoded, ok := policy.Read(der.ObjectID)
		if !ok || seen[string(encoded)] {
			return invalid(bad)
		}
		seen[string(encoded)] = true
		oid, ok := checkedOID(encoded)
		if !ok {
			return invalid(bad)
		}
		c.Policies = append(c.Policies, oid)
		if small, ok := oid.small(); ok {
			c.PolicyIdentifiers = append(c.PolicyIdentifiers, small)
		}
	}
	return nil
}

func (c *Certificate) takePolicyMappings(value der.Text) error {
	const bad = "policy mappings extension"
	list, ok := value.Read(der.Sequence)
	if !ok {
		return invalid(bad)
	}
	for len(list) > 0 {
		pair, _ := list.Read(der.Sequence)
		issuer, ok := pair.Read(der.ObjectID)
		if !ok {
			return invalid(bad)
		}
		subject, ok := pair.Read(der.ObjectID)
		if !ok {
			return invalid(bad)
		}
		c.PolicyMappings = append(c.PolicyMappings, PolicyMapping{OID{issuer}, OID{subject}})
	}
	return nil
}

func (c *Certificate) takePolicyConstraints(value der.Text) error {
	const bad = "policy constraints extension"
	list, ok := value.Read(der.Sequence)
	if !ok {
		return invalid(bad)
	}
	for tag, n := range []struct {
		value *int
		zero  *bool
	}{
		{&c.RequireExplicitPolicy, &c.RequireExplicitPolicyZero},
		{&c.InhibitPolicyMapping, &c.InhibitPolicyMappingZero},
	} {
		if tag := der.Context | byte(tag); list.Peek(tag) {
			if *n.value, ok = list.Int(tag); !ok {
				return invalid(bad)
			}
			*n.zero = *n.value == 0
		}
	}
	return nil
}

// takeDistribution takes the URLs before other kinds of names.
func (c *Certificate) takeDistribution(value der.Text) error {
	const bad = "CRL distribution point"
	list, ok := value.Read(der.Sequence)
	if !ok {
		return invalid("CRL distribution points")
	}
	const full = der.Context | der.Constructed
	for len(list) > 0 {
		point, ok := list.Read(der.Sequence)
		if !ok {
			return invalid(bad)
		}
		name, present, ok := point.Optional(full)
		if ok && !present {
			continue
		}
		if name, ok = name.Read(full); !ok {
			return invalid(bad)
		}
		for name.Peek(der.Context | uriName) {
			uri, ok := name.Read(der.Context | uriName)
			if !ok {
				return invalid(bad)
			}
			c.CRLDistributionPoints = append(c.CRLDistributionPoints, string(uri))
		}
	}
	return nil
}

func (c *Certificate) takeAuthorityInfo(critical bool, value der.Text) error {
	if critical {
		return errors.New("x509: authority info access incorrectly marked critical")
	}
	const bad = "authority info access"
	list, ok := value.Read(der.Sequence)
	if !ok {
		return invalid(bad)
	}
	for len(list) > 0 {
		pair, _ := list.Read(der.Sequence)
		method, ok := pair.OID()
		if !ok {
			return invalid(bad)
		}
		if !pair.Peek(der.Context | uriName) {
			continue
		}
		uri, ok := pair.Read(der.Context | uriName)
		if !ok {
			return invalid(bad)
		}
		switch {
		case method.Equal(idOCSP):
			c.OCSPServer = append(c.OCSPServer, string(uri))
		case method.Equal(idIssuers):
			c.IssuingCertificateURL = append(c.IssuingCertificateURL, string(uri))
		}
	}
	return nil
}

// takeNameConstraints says whether all names that are constrained are of kinds that it knows.
func (c *Certificate) takeNameConstraints(critical bool, value der.Text) (known bool, err error) {
	const bad = "NameConstraints extension"
	list, ok := value.Read(der.Sequence)
	if !ok || len(value) > 0 {
		return false, invalid(bad)
	}
	permitted, _, ok := list.Optional(der.Context | der.Constructed)
	if !ok {
		return false, invalid(bad)
	}
	excluded, _, ok := list.Optional(der.Context | der.Constructed | 1)
	if !ok || len(list) > 0 {
		return false, invalid(bad)
	}
	if len(permitted)+len(excluded) == 0 {
		return false, errors.New("x509: empty name constraints extension")
	}
	known = true
	yes, err := parseConstraints(permitted, &known)
	if err != nil {
		return false, err
	}
	no, err := parseConstraints(excluded, &known)
	if err != nil {
		return false, err
	}
	c.PermittedDNSDomains, c.ExcludedDNSDomains = yes.dns, no.dns
	c.PermittedIPRanges, c.ExcludedIPRanges = yes.ips, no.ips
	c.PermittedEmailAddresses, c.ExcludedEmailAddresses = yes.emails, no.emails
	c.PermittedURIDomains, c.ExcludedURIDomains = yes.uris, no.uris
	c.PermittedDNSDomainsCritical = critical
	return known, nil
}

// limits are the names that are permitted, or those that are excluded.
type limits struct {
	dns    []string
	ips    []*net.IPNet
	emails []string
	uris   []string
}

func parseConstraints(list der.Text, known *bool) (l limits, err error) {
	for len(list) > 0 {
		tree, _ := list.Read(der.Sequence)
		content, tag, ok := tree.Any()
		if !ok {
			return l, invalid("NameConstraints extension")
		}
		name := string(content)
		kind := tag ^ der.Context
		if kind == ipName {
			ip, err := parseRange(content)
			if err != nil {
				return l, err
			}
			l.ips = append(l.ips, ip)
			continue
		}
		if kind != dnsName && kind != emailName && kind != uriName {
			*known = false
			continue
		}
		if err := checkIA5(name); err != nil {
			return l, invalid("constraint value: " + err.Error())
		}
		good := isDomain(name, true)
		switch kind {
		case dnsName:
			if !good {
				return l, fmt.Errorf("x509: failed to parse dnsName constraint %q", name)
			}
			l.dns = append(l.dns, name)
		case emailName:
			if strings.Contains(name, "@") {
				_, good = newMailbox(name)
			}
			if !good {
				return l, fmt.Errorf("x509: failed to parse rfc822Name constraint %q", name)
			}
			l.emails = append(l.emails, name)
		case uriName:
			if net.ParseIP(name) != nil {
				return l, fmt.Errorf(
					"x509: failed to parse URI constraint %q: cannot be IP address", name)
			}
			if !good {
				return l, fmt.Errorf("x509: failed to parse URI constraint %q", name)
			}
			l.uris = append(l.uris, name)
		}
	}
	return l, nil
}

// parseRange reads an address and a mask of the same length.
func parseRange(b []byte) (*net.IPNet, error) {
	n := len(b) / 2
	if len(b) != 2*net.IPv4len && len(b) != 2*net.IPv6len {
		return nil, fmt.Errorf("x509: IP constraint contained value of length %d", len(b))
	}
	ip, mask := net.IP(b[:n]), net.IPMask(b[n:])
	if ones, bits := mask.Size(); ones == 0 && bits == 0 {
		return nil, fmt.Errorf("x509: IP constraint contained invalid mask %x", []byte(mask))
	}
	if n == net.IPv6len && ip.To4() != nil {
		return nil, errors.New("x509: IP constraint contained IPv4-mapped IPv6 address")
	}
	return &net.IPNet{IP: ip, Mask: mask}, nil
}
