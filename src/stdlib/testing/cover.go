package testing

import (
	"cmp"
	"fmt"
	"internal/testdeps"
	"os"
	"path"
	"slices"
)

// Cover and CoverBlock are of an older way to count, and do nothing.
type Cover struct {
	Mode            string
	Counters        map[string][]uint32
	Blocks          map[string][]CoverBlock
	CoveredPackages string
}

type CoverBlock struct {
	Line0 uint32
	Col0  uint16
	Line1 uint32
	Col1  uint16
	Stmts uint16
}

func RegisterCover(c Cover) {}

// CoverMode is set, count or atomic, or nothing if statements are not counted.
func CoverMode() string { return testdeps.CoverMode }

// Coverage is the part of the statements that has run so far.
func Coverage() float64 {
	ran, all := testdeps.CountStatements()
	if all == 0 {
		return 0
	}
	return float64(ran) / float64(all)
}

// reportCoverage prints how many statements have run, and writes the profile.
func reportCoverage() {
	if CoverMode() == "" {
		return
	}
	ran, all := testdeps.CountStatements()
	if all == 0 {
		fmt.Println("coverage: [no statements]")
	} else {
		percent := 100 * float64(ran) / float64(all)
		fmt.Printf("coverage: %.1f%% of statements%s\n", percent, testdeps.Covered)
	}
	if options.coverTo == "" {
		return
	}
	if err := writeCoverage(inOutputDir(options.coverTo)); err != nil {
		giveUp("%v", err)
	}
}

func writeCoverage(name string) error {
	text := fmt.Appendf(nil, "mode: %s\n", CoverMode())
	files := slices.Clone(testdeps.CoveredFiles)
	slices.SortFunc(files, func(a, b testdeps.CoveredFile) int {
		aDir, aBase := path.Split(a.Name)
		bDir, bBase := path.Split(b.Name)
		return cmp.Or(cmp.Compare(aDir, bDir), cmp.Compare(aBase, bBase))
	})
	for _, file := range files {
		for i, count := range file.Counters {
			b := file.Blocks[i*5:]
			place := fmt.Sprintf("%s:%d.%d,%d.%d", file.Name, b[0], b[1], b[2], b[3])
			text = fmt.Appendln(text, place, b[4], count)
		}
	}
	return os.WriteFile(name, text, 0o666)
}
