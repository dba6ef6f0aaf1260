package testing

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"internal/testdeps"
	"math"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"
	"slices"
	"time"
)

// A hunt looks for an input with which a target fails: it changes inputs that there are, and keeps
// those that lead to statements which no other has led to.
type hunt struct {
	f     *F
	fn    reflect.Value
	types []reflect.Type

	ctx    context.Context
	start  time.Time
	inputs []input
	kept   int // of them have been found here
	seen   []bool
	tries  int64
	// When it was last told how far it is, and after how many tries.
	told      time.Time
	toldTries int64
	output    bytes.Buffer
}

func (h *hunt) say(format string, args ...any) {
	elapsed := time.Since(h.start).Round(time.Second)
	fmt.Fprintf(os.Stdout, "fuzz: elapsed: %s, %s\n", elapsed, fmt.Sprintf(format, args...))
}

// run hunts until something is found, or until it has lasted long enough.
func (h *hunt) run() {
	var stop context.CancelFunc
	h.ctx, stop = signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if options.fuzzFor.d > 0 {
		h.ctx, stop = context.WithTimeout(h.ctx, options.fuzzFor.d)
		defer stop()
	}
	h.start = time.Now()
	h.told = h.start
	cached, _ := readInputs(filepath.Join(options.fuzzCache, h.f.name), h.types)
	h.inputs = append(slices.Clone(h.f.seeds), cached...)
	if len(h.inputs) == 0 {
		fmt.Fprintf(os.Stdout, "warning: starting with empty corpus\n")
		var zero []any
		for _, t := range h.types {
			zero = append(zero, reflect.Zero(t).Interface())
		}
		h.inputs = []input{{"", zero}}
	}
	all := len(h.inputs)
	h.say("gathering baseline coverage: 0/%d completed", all)
	for _, in := range h.inputs {
		if !h.try(in.values) {
			if in.path != "" {
				fmt.Fprintf(os.Stdout, "failure while testing seed corpus entry: %s/%s\n",
					h.f.name, filepath.Base(in.path))
				h.fail(in, false)
				return
			}
			h.fail(in, true)
			return
		}
		h.isNew()
	}
	h.say("gathering baseline coverage: %d/%d completed, now fuzzing with 1 workers", all, all)
	for h.ctx.Err() == nil && (options.fuzzFor.n == 0 || h.tries < int64(options.fuzzFor.n)) {
		values := slices.Clone(h.inputs[rand.IntN(len(h.inputs))].values)
		h.mutate(values)
		h.tries++
		if !h.try(values) {
			h.fail(input{"", values}, true)
			return
		}
		if h.isNew() {
			h.keep(values)
		}
		if time.Since(h.told) >= 3*time.Second {
			h.tell()
		}
	}
	h.tell()
}

// tell says how far the hunt is.
func (h *hunt) tell() {
	rate := float64(h.tries-h.toldTries) / time.Since(h.told).Seconds()
	h.say("execs: %d (%.0f/sec), new interesting: %d (total: %d)",
		h.tries, rate, h.kept, len(h.inputs))
	h.told, h.toldTries = time.Now(), h.tries
}

// try calls the target; false: it has failed.
func (h *hunt) try(values []any) bool {
	for _, file := range testdeps.CoveredFiles {
		clear(file.Counters)
	}
	h.output.Reset()
	return h.f.try(h.fn, h.f.name, copied(values), &h.output)
}

// copied protects bytes from a target that changes them.
func copied(values []any) []any {
	values = slices.Clone(values)
	for i, v := range values {
		if b, ok := v.([]byte); ok {
			values[i] = bytes.Clone(b)
		}
	}
	return values
}

// isNew says whether the last call has reached statements that none had reached.
func (h *hunt) isNew() bool {
	at, isNew := 0, false
	for _, file := range testdeps.CoveredFiles {
		for _, n := range file.Counters {
			if at == len(h.seen) {
				h.seen = append(h.seen, false)
			}
			if n > 0 && !h.seen[at] {
				h.seen[at] = true
				isNew = true
			}
			at++
		}
	}
	return isNew
}

// keep makes an input one of those that others are made of, also of later hunts.
func (h *hunt) keep(values []any) {
	h.kept++
	h.inputs = append(h.inputs, input{"", values})
	// That it is not there the next time is no harm.
	_, _ = write(filepath.Join(options.fuzzCache, h.f.name), values)
}

// write puts an input into a directory, under the name that its text has.
func write(dir string, values []any) (path string, err error) {
	text := encodeInput(values)
	path = filepath.Join(dir, fmt.Sprintf("%x", sha256.Sum256(text))[:16])
	if err = os.MkdirAll(dir, 0o777); err == nil {
		err = os.WriteFile(path, text, 0o666)
		if err != nil {
			// What there is of it is no input.
			os.Remove(path)
		}
	}
	return path, err
}

// fail tells of an input with which the target fails; a new one is made small and written.
func (h *hunt) fail(in input, isNew bool) {
	output := h.output.String()
	if isNew {
		text := encodeInput(in.values)
		if h.canShrink() && (options.minimizeFor.d > 0 || options.minimizeFor.n > 0) {
			fmt.Fprintf(os.Stdout, "fuzz: minimizing %d-byte failing input file\n", len(text))
			h.say("minimizing")
			if smaller := h.shrink(in.values); smaller != "" {
				output = smaller
			}
		}
		path, err := write(filepath.Join(inputsDir, h.f.name), in.values)
		in.path = path
		if err != nil {
			output += fmt.Sprintf("\n%v", err)
		}
	}
	f := h.f
	f.Fail()
	fmt.Fprintf(indenter{&f.common}, "%v\n", output)
	if isNew {
		w := indenter{&f.common}
		fmt.Fprintf(w, "Failing input written to %s\n", in.path)
		fmt.Fprintf(w, "To re-run:\ngosched test -run=%s/%s\n", f.name, filepath.Base(in.path))
	}
}

func (h *hunt) canShrink() bool {
	return slices.ContainsFunc(h.types, func(t reflect.Type) bool {
		return t == reflect.TypeFor[string]() || t == reflect.TypeFor[[]byte]()
	})
}

// shrink makes values small with which the target still fails; what it prints then.
func (h *hunt) shrink(values []any) (output string) {
	begin, tries := time.Now(), 0
	isOver := func() bool {
		isLong := options.minimizeFor.d > 0 && time.Since(begin) >= options.minimizeFor.d
		return isLong || options.minimizeFor.n > 0 && tries >= options.minimizeFor.n || h.f.ctx.Err() != nil
	}
	for i, v := range values {
		isString := false
		var b []byte
		switch v := v.(type) {
		case string:
			b, isString = []byte(v), true
		case []byte:
			b = bytes.Clone(v)
		default:
			continue
		}
		shrinkBytes(b, isOver, func(b []byte) bool {
			tries++
			old := values[i]
			if isString {
				values[i] = string(b)
			} else {
				values[i] = bytes.Clone(b)
			}
			if h.try(values) {
				values[i] = old
				return false
			}
			output = h.output.String()
			return true
		})
	}
	return output
}

// shrinkBytes cuts pieces out, large ones first, and then makes bytes that can be read of others.
func shrinkBytes(b []byte, isOver func() bool, fails func([]byte) bool) {
	for size := max(len(b)/2, 1); ; size /= 2 {
		for at := 0; at+size <= len(b) && !isOver(); {
			rest := slices.Concat(b[:at], b[at+size:])
			if fails(rest) {
				b = rest
			} else {
				at += size
			}
		}
		if size <= 1 {
			break
		}
	}
	for i, was := range b {
		for _, plain := range []byte("0ABab ") {
			if was == plain || isOver() {
				break
			}
			b[i] = plain
			if fails(b) {
				break
			}
			b[i] = was
		}
	}
}

// mutate changes values in a few places.
func (h *hunt) mutate(values []any) {
	for range 1 + rand.IntN(len(values)) {
		i := rand.IntN(len(values))
		switch v := values[i].(type) {
		case []byte:
			values[i] = h.mutateBytes(bytes.Clone(v), i)
		case string:
			values[i] = string(h.mutateBytes([]byte(v), i))
		case bool:
			values[i] = !v
		case float32:
			values[i] = float32(mutateFloat(float64(v)))
		case float64:
			values[i] = mutateFloat(v)
		default:
			r := reflect.ValueOf(v)
			n := reflect.New(r.Type()).Elem()
			if r.CanInt() {
				n.SetInt(mutateInt(r.Int(), r.Type().Bits()))
			} else {
				n.SetUint(uint64(mutateInt(int64(r.Uint()), r.Type().Bits())) &
					(math.MaxUint64 >> (64 - r.Type().Bits())))
			}
			values[i] = n.Interface()
		}
	}
}

// Numbers where things tend to change.
var edges = []int64{-1, 0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 63, 64, 65, 100, 127, 128, 129, 255,
	256, 257, 1000, 1023, 1024, 4095, 4096, 32767, 32768, 65535, 65536, 1<<31 - 1, 1 << 31,
	1<<32 - 1, 1 << 32, 1<<63 - 1, -1 << 7, -1 << 15, -1 << 31, -1 << 63}

func mutateInt(n int64, bits int) int64 {
	switch rand.IntN(4) {
	case 0:
		n = edges[rand.IntN(len(edges))]
	case 1:
		n ^= 1 << rand.IntN(bits)
	case 2:
		n += 1 + rand.Int64N(100)
	default:
		n -= 1 + rand.Int64N(100)
	}
	return n << (64 - bits) >> (64 - bits)
}

func mutateFloat(x float64) float64 {
	switch rand.IntN(6) {
	case 0:
		return x + float64(rand.IntN(100))
	case 1:
		return x - float64(rand.IntN(100))
	case 2:
		return x * rand.Float64() * 10
	case 3:
		return -x
	case 4:
		special := []float64{0, math.Copysign(0, -1), 1, math.Inf(1), math.Inf(-1), math.NaN(),
			math.MaxFloat64, math.SmallestNonzeroFloat64}
		return special[rand.IntN(len(special))]
	}
	return math.Float64frombits(math.Float64bits(x) ^ 1<<rand.IntN(64))
}

// No value grows longer than that.
const longest = 1 << 20

// mutateBytes changes bytes, which are of parameter i.
func (h *hunt) mutateBytes(b []byte, i int) []byte {
	for range 1 << rand.IntN(4) {
		b = h.mutateOnce(b, i)
	}
	return b[:min(len(b), longest)]
}

func (h *hunt) mutateOnce(b []byte, i int) []byte {
	// Into an empty text something is to be put.
	at := rand.IntN(len(b) + 1)
	kind := rand.IntN(12)
	if len(b) == 0 {
		kind %= 4
	}
	switch kind {
	case 0:
		return slices.Insert(b, at, byte(rand.IntN(256)))
	case 1:
		return slices.Insert(b, at, byte(' '+rand.IntN('~'-' '+1)))
	case 2:
		return slices.Insert(b, at, bytes.Repeat([]byte{byte(rand.IntN(256))}, 1+rand.IntN(16))...)
	case 3:
		// A piece of another input.
		other := h.inputs[rand.IntN(len(h.inputs))].values[i]
		text, ok := other.([]byte)
		if s, is := other.(string); is {
			text, ok = []byte(s), true
		}
		if !ok || len(text) == 0 {
			return b
		}
		from := rand.IntN(len(text))
		return slices.Insert(b, at, text[from:from+1+rand.IntN(len(text)-from)]...)
	}
	at = rand.IntN(len(b))
	size := 1 + rand.IntN(min(len(b)-at, 1+rand.IntN(16)))
	switch kind {
	case 4:
		return slices.Delete(b, at, at+size)
	case 5:
		return slices.Insert(b, rand.IntN(len(b)), slices.Clone(b[at:at+size])...)
	case 6:
		copy(b[rand.IntN(len(b)):], slices.Clone(b[at:at+size]))
	case 7:
		b[at] ^= 1 << rand.IntN(8)
	case 8:
		b[at] = byte(rand.IntN(256))
	case 9:
		b[at] += byte(rand.IntN(71) - 35)
	case 10:
		other := rand.IntN(len(b))
		b[at], b[other] = b[other], b[at]
	default:
		var word [8]byte
		n := uint64(edges[rand.IntN(len(edges))])
		if rand.IntN(2) == 0 {
			binary.LittleEndian.PutUint64(word[:], n)
			copy(b[at:], word[:1<<rand.IntN(4)])
		} else {
			binary.BigEndian.PutUint64(word[:], n)
			copy(b[at:], word[8-1<<rand.IntN(4):])
		}
	}
	return b
}
