// Package driver: what package sql asks of drivers. Interfaces that a driver may lack are told by
// type assertions.
package driver

import (
	"context"
	"database/sql/internal"
	"errors"
	"reflect"
)

// A Value is nil, or one of int64, float64, bool, []byte, string and time.Time, unless the driver
// takes others.
type Value any

type NamedValue struct {
	Name    string // empty if it has none
	Ordinal int    // from 1
	Value   Value
}

type Driver interface {
	Open(name string) (Conn, error)
}

type DriverContext interface {
	OpenConnector(name string) (Connector, error)
}

type Connector interface {
	Connect(context.Context) (Conn, error)
	Driver() Driver
}

var (
	// ErrSkip says that a fast path cannot be taken this time.
	ErrSkip = errors.New("driver: skip fast-path; continue as if unimplemented")

	// ErrBadConn has the call tried again on another connection.
	ErrBadConn = errors.New("driver: bad connection")

	// ErrRemoveArgument has a checker's argument left out.
	ErrRemoveArgument = errors.New("driver: remove argument from query")
)

type Pinger interface {
	Ping(ctx context.Context) error
}

type Execer interface {
	Exec(query string, args []Value) (Result, error)
}

type ExecerContext interface {
	ExecContext(ctx context.Context, query string, args []NamedValue) (Result, error)
}

type Queryer interface {
	Query(query string, args []Value) (Rows, error)
}

type QueryerContext interface {
	QueryContext(ctx context.Context, query string, args []NamedValue) (Rows, error)
}

type Conn interface {
	Prepare(query string) (Stmt, error)
	Close() error
	Begin() (Tx, error)
}

type ConnPrepareContext interface {
	PrepareContext(ctx context.Context, query string) (Stmt, error)
}

type IsolationLevel int

type TxOptions struct {
	Isolation IsolationLevel
	ReadOnly  bool
}

type ConnBeginTx interface {
	BeginTx(ctx context.Context, opts TxOptions) (Tx, error)
}

type SessionResetter interface {
	ResetSession(ctx context.Context) error
}

type Validator interface {
	IsValid() bool
}

type Result interface {
	LastInsertId() (int64, error)
	RowsAffected() (int64, error)
}

type Stmt interface {
	Close() error
	NumInput() int // -1 if it is not known
	Exec(args []Value) (Result, error)
	Query(args []Value) (Rows, error)
}

type StmtExecContext interface {
	ExecContext(ctx context.Context, args []NamedValue) (Result, error)
}

type StmtQueryContext interface {
	QueryContext(ctx context.Context, args []NamedValue) (Rows, error)
}

type NamedValueChecker interface {
	CheckNamedValue(*NamedValue) error
}

type ColumnConverter interface {
	ColumnConverter(idx int) ValueConverter
}

type Rows interface {
	Columns() []string
	Close() error
	Next(dest []Value) error // io.EOF at the end
}

// ScanContext is handed on to sql.ConvertAssign.
type ScanContext internal.ScanContext

type RowsColumnScanner interface {
	Rows
	NextRow() error
	ScanColumn(scanCtx ScanContext, index int, dest any) error
}

type RowsNextResultSet interface {
	Rows
	HasNextResultSet() bool
	NextResultSet() error
}

type RowsColumnTypeScanType interface {
	Rows
	ColumnTypeScanType(index int) reflect.Type
}

type RowsColumnTypeDatabaseTypeName interface {
	Rows
	ColumnTypeDatabaseTypeName(index int) string
}

type RowsColumnTypeLength interface {
	Rows
	ColumnTypeLength(index int) (length int64, ok bool)
}

type RowsColumnTypeNullable interface {
	Rows
	ColumnTypeNullable(index int) (nullable, ok bool)
}

type RowsColumnTypePrecisionScale interface {
	Rows
	ColumnTypePrecisionScale(index int) (precision, scale int64, ok bool)
}

type Tx interface {
	Commit() error
	Rollback() error
}

type (
	RowsAffected int64
	noRows       struct{}
)

var ResultNoRows noRows

func (v RowsAffected) RowsAffected() (int64, error) { return int64(v), nil }

func (noRows) RowsAffected() (int64, error) {
	return 0, errors.New("no RowsAffected available after DDL statement")
}

func (RowsAffected) LastInsertId() (int64, error) {
	return 0, errors.New("LastInsertId is not supported by this driver")
}

func (noRows) LastInsertId() (int64, error) {
	return 0, errors.New("no LastInsertId available after DDL statement")
}
