package pprof

import (
	"context"
	"slices"
	"strings"
	"unsafe"
)

type label struct{ key, value string }

// A LabelSet is a set of labels, in order of their keys.
type LabelSet struct{ list []label }

// A labelMap is what a context holds, and a goroutine: the runtime reads it.
type labelMap struct{ LabelSet }

type labelContextKey struct{}

func (l *labelMap) String() string {
	if l == nil {
		return ""
	}
	return labelText(unsafe.Pointer(l))
}

// labelText is what profiles print of labels.
func labelText(labels unsafe.Pointer) string

// setLabels gives the calling goroutine labels, a *labelMap.
func setLabels(labels unsafe.Pointer)

func labelsOf(ctx context.Context) *labelMap {
	labels, _ := ctx.Value(labelContextKey{}).(*labelMap)
	return labels
}

// list is the labels of a context.
func list(ctx context.Context) []label {
	if labels := labelsOf(ctx); labels != nil {
		return labels.list
	}
	return nil
}

func WithLabels(ctx context.Context, labels LabelSet) context.Context {
	all := unique(slices.Concat(list(ctx), labels.list))
	return context.WithValue(ctx, labelContextKey{}, &labelMap{LabelSet{all}})
}

// unique puts labels in order; of those with equal keys the last one counts.
func unique(all []label) []label {
	slices.SortStableFunc(all, func(a, b label) int { return strings.Compare(a.key, b.key) })
	n := 0
	for i, l := range all {
		if i > 0 && all[n-1].key == l.key {
			n--
		}
		all[n] = l
		n++
	}
	return all[:n]
}

func Labels(args ...string) LabelSet {
	if len(args)%2 != 0 {
		panic("uneven number of arguments to pprof.Labels")
	}
	all := make([]label, 0, len(args)/2)
	for i := 0; i+1 < len(args); i += 2 {
		all = append(all, label{args[i], args[i+1]})
	}
	return LabelSet{unique(all)}
}

func Label(ctx context.Context, key string) (string, bool) {
	for _, l := range list(ctx) {
		if l.key == key {
			return l.value, true
		}
	}
	return "", false
}

func Do(ctx context.Context, labels LabelSet, f func(context.Context)) {
	within := WithLabels(ctx, labels)
	defer SetGoroutineLabels(ctx)
	SetGoroutineLabels(within)
	f(within)
}

func ForLabels(ctx context.Context, f func(key, value string) bool) {
	for _, l := range list(ctx) {
		if !f(l.key, l.value) {
			break
		}
	}
}

func SetGoroutineLabels(ctx context.Context) { setLabels(unsafe.Pointer(labelsOf(ctx))) }
