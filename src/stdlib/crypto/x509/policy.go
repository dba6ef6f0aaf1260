// The policies of a chain. RFC 9618: a graph with a layer for each certificate below the root, in
// which a node is a policy that the certificate has, below those that led to it. Nodes know those
// above them only; what leads nowhere is found from below.

package x509

import (
	"bytes"
	"maps"
	"slices"
)

const anyPolicy = "\x55\x1d\x20\x00"

// A policy is a node; policies are told by their encoded identifiers.
type policy struct {
	valid    string
	expected []string
	parents  []*policy
}

type layer map[string]*policy

func (l layer) add(valid string, parents ...*policy) *policy {
	l[valid] = &policy{valid: valid, expected: []string{valid}, parents: parents}
	return l[valid]
}

// prune removes what leads nowhere, but for the lowest layer and the highest.
func prune(layers []layer) {
	for i := len(layers) - 2; i > 0; i-- {
		leads := make(map[*policy]bool)
		for _, p := range layers[i+1] {
			for _, parent := range p.parents {
				leads[parent] = true
			}
		}
		maps.DeleteFunc(layers[i], func(_ string, p *policy) bool { return !leads[p] })
	}
}

// expecting are the layer's nodes by what they expect below them.
func (l layer) expecting() map[string][]*policy {
	by := make(map[string][]*policy)
	for _, p := range l {
		for _, valid := range p.expected {
			// Mappings may tell the same twice.
			if list := by[valid]; len(list) == 0 || list[len(list)-1] != p {
				by[valid] = append(list, p)
			}
		}
	}
	return by
}

// descend makes the layer of a certificate.
func descend(above layer, cert *Certificate, anyCounts bool) layer {
	own, expecting := make(layer), above.expecting()
	hasAny := false
	for _, oid := range cert.Policies {
		valid := string(oid.der)
		if valid == anyPolicy {
			hasAny = true
		} else if parents := expecting[valid]; len(parents) > 0 {
			own.add(valid, parents...)
		} else if p := above[anyPolicy]; p != nil {
			own.add(valid, p)
		}
	}
	for valid, parents := range expecting {
		if hasAny && anyCounts && own[valid] == nil {
			own.add(valid, parents...)
		}
	}
	return own
}

// mapped changes what a layer expects by the certificate's mappings. False: they are no such.
func mapped(layers []layer, cert *Certificate, isAllowed bool) bool {
	lowest := layers[len(layers)-1]
	to := make(map[string][]string)
	for _, mapping := range cert.PolicyMappings {
		issuer, subject := string(mapping.IssuerDomainPolicy.der), string(mapping.SubjectDomainPolicy.der)
		switch {
		case !isAllowed:
			delete(lowest, issuer)
		case issuer == anyPolicy || subject == anyPolicy:
			return false
		default:
			to[issuer] = append(to[issuer], subject)
		}
	}
	prune(layers)
	for issuer, subjects := range to {
		p := lowest[issuer]
		if p == nil && lowest[anyPolicy] != nil {
			p = lowest.add(issuer, lowest[anyPolicy])
		}
		if p != nil {
			p.expected = subjects
		}
	}
	return true
}

// A countdown is how many certificates more until something holds; zero: it does.
type countdown int

// pass goes by a certificate, which may make it shorter.
func (n *countdown) pass(isSelfIssued bool, own int, isZero bool) {
	if !isSelfIssued && *n > 0 {
		*n--
	}
	if own > 0 || isZero {
		*n = min(*n, countdown(own))
	}
}

// policiesAllow says whether the chain has policies where some must be.
func policiesAllow(chain []*Certificate, opts *VerifyOptions) bool {
	n := len(chain) - 1
	if n == 0 {
		return true
	}
	top := make(layer)
	top.add(anyPolicy)
	layers := []layer{top}
	explicit, noMapping, noAny := countdown(n+1), countdown(n+1), countdown(n+1)
	for i, cert := range slices.Backward(chain[:n]) {
		isLeaf, isSelfIssued := i == 0, bytes.Equal(cert.RawIssuer, cert.RawSubject)
		if len(cert.Policies) == 0 {
			layers = nil
		}
		if explicit == 0 && layers == nil {
			return false
		}
		if layers != nil {
			above := layers[len(layers)-1]
			layers = append(layers, descend(above, cert, noAny > 0 || !isLeaf && isSelfIssued))
			prune(layers)
			if !isLeaf && len(cert.PolicyMappings) > 0 && !mapped(layers, cert, noMapping > 0) {
				return false
			}
		}
		if !isLeaf {
			explicit.pass(isSelfIssued, cert.RequireExplicitPolicy, cert.RequireExplicitPolicyZero)
			noMapping.pass(isSelfIssued, cert.InhibitPolicyMapping, cert.InhibitPolicyMappingZero)
			noAny.pass(isSelfIssued, cert.InhibitAnyPolicy, cert.InhibitAnyPolicyZero)
		}
	}
	isExplicit := explicit <= 1 || chain[0].RequireExplicitPolicyZero
	return !isExplicit || len(constrained(layers, opts)) > 0
}

// constrained are the policies that the chain has and the options want.
func constrained(layers []layer, opts *VerifyOptions) map[string]bool {
	has := make(map[string]bool)
	for i, l := range layers {
		for valid, p := range l {
			isFirst := len(p.parents) == 1 && p.parents[0].valid == anyPolicy
			if valid == anyPolicy && i == len(layers)-1 || valid != anyPolicy && isFirst {
				has[valid] = true
			}
		}
	}
	wanted := make(map[string]bool)
	for _, oid := range opts.CertificatePolicies {
		wanted[string(oid.der)] = true
	}
	if len(wanted) == 0 || len(wanted) == 1 && wanted[anyPolicy] {
		return has
	}
	if has[anyPolicy] {
		return wanted
	}
	maps.DeleteFunc(has, func(valid string, _ bool) bool { return !wanted[valid] })
	return has
}
