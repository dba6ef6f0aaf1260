package main

import (
	"errors"
	"fmt"
	"math"
)

// Determinants by LU decomposition with partial pivoting, with a flat slice and methods
// to reach its elements; and systems of equations by elimination, with a slice of rows.

type matrix struct {
	n    int
	data []float64
}

func newMatrix(n int) *matrix { return &matrix{n, make([]float64, n*n)} }

func (m *matrix) at(i, j int) float64     { return m.data[i*m.n+j] }
func (m *matrix) set(i, j int, v float64) { m.data[i*m.n+j] = v }
func (m *matrix) row(i int) []float64     { return m.data[i*m.n : (i+1)*m.n] }

var errSingular = errors.New("matrix is singular")

// decompose leaves L below the diagonal and U above, and gives the determinant's logarithm.
func (m *matrix) decompose() (logDet float64, err error) {
	for k := 0; k < m.n; k++ {
		pivot := k
		for i := k + 1; i < m.n; i++ {
			if math.Abs(m.at(i, k)) > math.Abs(m.at(pivot, k)) {
				pivot = i
			}
		}
		if math.Abs(m.at(pivot, k)) < 1e-12 {
			return 0, errSingular
		}
		if pivot != k {
			a, b := m.row(k), m.row(pivot)
			for j := range a {
				a[j], b[j] = b[j], a[j]
			}
		}
		logDet += math.Log(math.Abs(m.at(k, k)))
		for i := k + 1; i < m.n; i++ {
			f := m.at(i, k) / m.at(k, k)
			m.set(i, k, f)
			for j := k + 1; j < m.n; j++ {
				m.set(i, j, m.at(i, j)-f*m.at(k, j))
			}
		}
	}
	return logDet, nil
}

// eliminate solves a system whose right side is the last column.
func eliminate(rows [][]float64) (x []float64, logDet float64) {
	n := len(rows)
	for k := range rows {
		pivot := k
		for i := k; i < n; i++ {
			if math.Abs(rows[i][k]) > math.Abs(rows[pivot][k]) {
				pivot = i
			}
		}
		rows[k], rows[pivot] = rows[pivot], rows[k]
		top := rows[k]
		logDet += math.Log(math.Abs(top[k]))
		for _, row := range rows[k+1:] {
			f := row[k] / top[k]
			for j := k; j <= n; j++ {
				row[j] -= f * top[j]
			}
		}
	}
	x = make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		s := rows[i][n]
		for j := i + 1; j < n; j++ {
			s -= rows[i][j] * x[j]
		}
		x[i] = s / rows[i][i]
	}
	return x, logDet
}

func main() {
	const n = 200
	seed := uint32(1)
	worst, total := 0.0, 0.0
	for round := 0; round < 9; round++ {
		m, rows := newMatrix(n), make([][]float64, n)
		for i := range rows {
			for j := 0; j < n; j++ {
				seed = seed*1664525 + 1013904223
				m.set(i, j, float64(seed>>8)/(1<<24)-0.5)
			}
			rows[i] = append(append([]float64{}, m.row(i)...), float64(i%7)-3)
		}
		a, err := m.decompose()
		if err != nil {
			panic(err)
		}
		x, b := eliminate(rows)
		worst = math.Max(worst, math.Abs(a-b))
		total += a + x[0]
	}
	fmt.Printf("agree %t, sum %.6f\n", worst < 1e-6, total)
	_, err := newMatrix(3).decompose()
	fmt.Println(err)
}
