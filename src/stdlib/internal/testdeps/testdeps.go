// Package testdeps: what the main package of a test and package testing tell each other. Programs
// cannot import it.
package testdeps

import "io"

// ExitCode is what the last call of (*testing.M).Run has returned.
var ExitCode int

// ForbidParallel says that a test, a *testing.T, cannot be parallel. Package testing sets it.
var ForbidParallel func(t any)

// What writes profiles, as in package runtime/pprof. The main package sets them if flags ask for profiles.
var (
	StartCPUProfile func(w io.Writer) error
	StopCPUProfile  func()
	WriteProfile    func(name string, w io.Writer) error
	StartTrace      func(w io.Writer) error
	StopTrace       func()
)

// Deps is what the main package hands to testing.MainStart.
type Deps struct{ Import, Module string }

func (d Deps) ImportPath() string { return d.Import }
func (d Deps) ModulePath() string { return d.Module }

var (
	// CoverMode says how statements are counted; empty: they are not.
	CoverMode string
	// Covered says of which packages, if these are not only the one that is tested.
	Covered string
	// CoveredFiles are those whose statements are counted.
	CoveredFiles []CoveredFile
)

// A CoveredFile has for each block of statements a counter and five numbers: where it begins and
// ends, each a line and a column, and how many statements it has.
type CoveredFile struct {
	Name     string
	Counters []uint32
	Blocks   []uint32
}

// Register is called when the package is initialised that the file is of.
func Register(name string, counters, blocks []uint32) {
	CoveredFiles = append(CoveredFiles, CoveredFile{name, counters, blocks})
}

// CountStatements says how many statements have run, of how many.
func CountStatements() (ran, all int) {
	for _, file := range CoveredFiles {
		for i, n := range file.Counters {
			statements := int(file.Blocks[i*5+4])
			all += statements
			if n > 0 {
				ran += statements
			}
		}
	}
	return ran, all
}
