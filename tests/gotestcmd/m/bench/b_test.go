package bench

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

var sink string

func BenchmarkJoin(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink = strings.Join([]string{"a", "b", fmt.Sprint(i)}, ",")
	}
}

func BenchmarkLoop(b *testing.B) {
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		sink = strings.Repeat("x", 100)
	}
	b.ReportMetric(float64(n)/float64(b.N), "loops/op")
}

func BenchmarkSub(b *testing.B) {
	for _, size := range []int{1, 10} {
		b.Run(fmt.Sprintf("size=%d", size), func(b *testing.B) {
			b.SetBytes(int64(size))
			for range b.N {
				sink = strings.Repeat("x", size)
			}
		})
	}
}

func BenchmarkParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			_ = strings.Repeat("x", 10)
		}
	})
}

func BenchmarkFail(b *testing.B) { b.Fatal("no") }
func BenchmarkSkip(b *testing.B) { b.Skip("skip") }
func BenchmarkLog(b *testing.B)  { b.Log("logged", b.N > 0) }
func BenchmarkBreak(b *testing.B) {
	for b.Loop() {
		break
	}
}
func BenchmarkSleep(b *testing.B) {
	for range b.N {
		b.StopTimer()
		time.Sleep(time.Millisecond)
		b.StartTimer()
	}
}

func TestBenchmark(t *testing.T) {
	r := testing.Benchmark(func(b *testing.B) {
		for range b.N {
			sink = strings.Repeat("x", 100)
		}
	})
	if r.N < 10 || r.AllocsPerOp() != 1 {
		t.Error(r, r.MemString())
	}
	if n := testing.AllocsPerRun(100, func() { sink = strings.Repeat("y", 100) }); n != 1 {
		t.Error(n)
	}
	fmt.Println(testing.BenchmarkResult{N: 100, T: time.Second, Bytes: 1000, MemAllocs: 300, MemBytes: 5000, Extra: map[string]float64{"x/op": 0.00123, "y": 123456, "z": 0}})
	for _, ns := range []float64{0, 1234567, 999.95, 999.94, 123.4, 99.99, 12.345, 9.9994, 1.2345, 0.99994, 0.12345, 0.099994, 0.012, 0.0099, 0.00999, 0.001, 0.00099, 0.000001} {
		fmt.Println(testing.BenchmarkResult{N: 1, Extra: map[string]float64{"ns/op": ns, "m": ns}})
	}
}
