package a

import (
	"errors"
	"fmt"
	"os"
	"testing"
	"time"
)

func TestAdd(t *testing.T) {
	if Add(1, 2) != 3 {
		t.Fatal("bad")
	}
	t.Log("hello", 1)
	t.Logf("multi\nline %d", 3)
}

func helper(t *testing.T, s string) {
	t.Helper()
	t.Error("from helper", s)
}

func TestSub(t *testing.T) {
	for _, name := range []string{"one", "two words", "", "one", "\x01"} {
		t.Run(name, func(t *testing.T) {
			t.Log("in", t.Name())
			if name == "two words" {
				helper(t, name)
			}
			t.Run("deep", func(t *testing.T) { t.Skip("skipped") })
		})
	}
}

func TestParallel(t *testing.T) {
	for i := range 1 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			time.Sleep(time.Duration(i+1) * 20 * time.Millisecond)
			t.Log("p", i)
		})
	}
	t.Log("end of parent")
}

func TestCleanup(t *testing.T) {
	t.Cleanup(func() { t.Log("cleanup 1") })
	t.Cleanup(func() { t.Log("cleanup 2"); t.Error("late") })
	ctx := t.Context()
	t.Cleanup(func() { t.Log(ctx.Err()) })
	t.Log(ctx.Err())
	t.Setenv("FOO_T", "1")
	if os.Getenv("FOO_T") != "1" {
		t.Error("env")
	}
	d := t.TempDir()
	if _, err := os.Stat(d); err != nil {
		t.Error(err)
	}
	t.Chdir(d)
}

func TestFail(t *testing.T) {
	t.Errorf("x=%v", errors.New("boo"))
	t.FailNow()
}

func TestSkip(t *testing.T) {
	t.Skipf("not %s", "now")
}

func TestOutput(t *testing.T) {
	w := t.Output()
	fmt.Fprint(w, "partial")
	t.Log("x")
	fmt.Fprintf(w, "a\nb\nc")
	t.Attr("key", "value here")
	fmt.Println("plain stdout")
}

func ExampleAdd() {
	fmt.Println(Add(1, 2))
	// Output: 3
}

func ExampleSign() {
	fmt.Println(Sign(-1))
	fmt.Println(Sign(0))
	// Output:
	// neg
	// pos
}

func Example_unordered() {
	fmt.Println("b")
	fmt.Println("a")
	// Unordered output:
	// a
	// b
}

func Example_none() { fmt.Println("x") }
