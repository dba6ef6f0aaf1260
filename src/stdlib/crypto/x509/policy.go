package x509

import (
	"bytes"
	"maps"
)

// The policies of a chain. RFC 9618: a graph with a layer for each certificate below the root, in
// which a node is a policy that the certificate has, below those that led to it.

const anyPolicy = "\x55\x1d\x20\x00"

// A policy is a node; policies are told by their encoded identifiers.
type policy struct {
	valid    string
	expected []string
	parents  map[*policy]bool
	children map[*policy]bool
}

type layer map[string]*policy

// add adds a node below others.
func (l layer) add(valid string, parents ...*policy) *policy {
	p := &policy{valid, []string{valid}, map[*policy]bool{}, map[*policy]bool{}}
	for _, parent := range parents {
		parent.children[p] = true
		p.parents[parent] = true
	}
	l[valid] = p
	return p
}

func (l layer) remove(valid string) {
	p := l[valid]
	if p == nil {
		return
	}
	for parent := range p.parents {
		delete(parent.children, p)
	}
	delete(l, valid)
}

// prune removes what leads nowhere, but for the lowest layer and the highest.
func prune(layers []layer) {
	for i := len(layers) - 2; i > 0; i-- {
		for valid, p := range layers[i] {
			if len(p.children) == 0 {
				layers[i].remove(valid)
			}
		}
	}
}

// descend makes the layer of a certificate.
func descend(above layer, cert *Certificate, anyCounts bool) layer {
	expecting := make(map[string][]*policy)
	for _, p := range above {
		for _, valid := range p.expected {
			expecting[valid] = append(expecting[valid], p)
		}
	}
	own := make(layer)
	hasAny := false
	for _, oid := range cert.Policies {
		valid := string(oid.der)
		if valid == anyPolicy {
			hasAny = true
			continue
		}
		parents := expecting[valid]
		if len(parents) == 0 && above[anyPolicy] != nil {
			parents = []*policy{above[anyPolicy]}
		}
		if len(parents) > 0 {
			own.add(valid, parents...)
		}
	}
	if hasAny && anyCounts {
		for valid, parents := range expecting {
			if own[valid] == nil {
				own.add(valid, parents...)
			}
		}
	}
	return own
}

// mapped changes what a layer expects by the certificate's mappings. False: they are no such.
func mapped(layers []layer, cert *Certificate, isAllowed bool) bool {
	lowest := layers[len(layers)-1]
	to := make(map[string][]string)
	for _, mapping := range cert.PolicyMappings {
		issuer := string(mapping.IssuerDomainPolicy.der)
		subject := string(mapping.SubjectDomainPolicy.der)
		if !isAllowed {
			lowest.remove(issuer)
			continue
		}
		if issuer == anyPolicy || subject == anyPolicy {
			return false
		}
		to[issuer] = append(to[issuer], subject)
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

// policiesAllow says whether the chain has policies where some must be.
func policiesAllow(chain []*Certificate, opts *VerifyOptions) bool {
	n := len(chain) - 1
	if n == 0 {
		return true
	}
	top := make(layer)
	top.add(anyPolicy)
	layers := []layer{top}
	// How many certificates more until something holds; zero: it does.
	explicit, noMapping, noAny := n+1, n+1, n+1
	for i := n - 1; i >= 0; i-- {
		cert := chain[i]
		isSelfIssued := bytes.Equal(cert.RawIssuer, cert.RawSubject)
		if len(cert.Policies) == 0 {
			layers = nil
		}
		if explicit == 0 && layers == nil {
			return false
		}
		if layers != nil {
			above := layers[len(layers)-1]
			layers = append(layers, descend(above, cert, noAny > 0 || i > 0 && isSelfIssued))
			prune(layers)
			if i > 0 && len(cert.PolicyMappings) > 0 && !mapped(layers, cert, noMapping > 0) {
				return false
			}
		}
		if i == 0 {
			break
		}
		for _, counter := range []struct {
			left   *int
			own    int
			isZero bool
		}{
			{&explicit, cert.RequireExplicitPolicy, cert.RequireExplicitPolicyZero},
			{&noMapping, cert.InhibitPolicyMapping, cert.InhibitPolicyMappingZero},
			{&noAny, cert.InhibitAnyPolicy, cert.InhibitAnyPolicyZero},
		} {
			if !isSelfIssued && *counter.left > 0 {
				*counter.left--
			}
			if counter.own > 0 || counter.isZero {
				*counter.left = min(*counter.left, counter.own)
			}
		}
	}
	explicit = max(explicit-1, 0)
	if chain[0].RequireExplicitPolicyZero {
		explicit = 0
	}
	return explicit > 0 || len(constrained(layers, opts)) > 0
}

// constrained are the policies that the chain has and the options want.
func constrained(layers []layer, opts *VerifyOptions) map[string]bool {
	has := make(map[string]bool)
	for _, l := range layers {
		for valid, p := range l {
			if valid == anyPolicy || len(p.parents) != 1 {
				continue
			}
			for parent := range p.parents {
				if parent.valid == anyPolicy {
					has[valid] = true
				}
			}
		}
	}
	if len(layers) > 0 && layers[len(layers)-1][anyPolicy] != nil {
		has[anyPolicy] = true
	}
	wanted := make(map[string]bool)
	for _, oid := range opts.CertificatePolicies {
		wanted[string(oid.der)] = true
	}
	if len(wanted) == 0 || len(wanted) == 1 && wanted[anyPolicy] {
		return has
	}
	both := maps.Clone(has)
	maps.DeleteFunc(both, func(valid string, _ bool) bool { return !wanted[valid] })
	if has[anyPolicy] {
		maps.Copy(both, wanted)
	}
	return both
}
