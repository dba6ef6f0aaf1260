package parser

import "go/token"

// role is a set of the parts that a token can play in the grammar. One look into the table below
// tells what may begin at a token, and where a recovery from an error may stop.
type role uint16

const (
	startsType   role = 1 << iota // a type
	startsSimple                  // a simple statement
	literal                       // is a basic literal
	prefix                        // stands before an operand
	suffix                        // continues an operand
	assigns                       // stands between the sides of an assignment
	closesList                    // ends a list of statements
	syncStmt                      // parsing goes on here after an error in a statement,
	syncDecl                      // in a declaration,
	syncList                      // in an element of a list
)

const (
	value   = literal | startsSimple
	sign    = prefix | startsSimple
	typeLit = startsType | startsSimple
)

var roles = [...]role{
	token.EOF: closesList,

	token.IDENT:  typeLit,
	token.INT:    value,
	token.FLOAT:  value,
	token.IMAG:   value,
	token.CHAR:   value,
	token.STRING: value,

	token.ADD:   sign,
	token.SUB:   sign,
	token.NOT:   sign,
	token.XOR:   sign,
	token.AND:   sign,
	token.MUL:   sign | startsType,
	token.ARROW: sign | startsType,
	token.TILDE: prefix,

	token.DEFINE:         assigns,
	token.ASSIGN:         assigns,
	token.ADD_ASSIGN:     assigns,
	token.SUB_ASSIGN:     assigns,
	token.MUL_ASSIGN:     assigns,
	token.QUO_ASSIGN:     assigns,
	token.REM_ASSIGN:     assigns,
	token.AND_ASSIGN:     assigns,
	token.OR_ASSIGN:      assigns,
	token.XOR_ASSIGN:     assigns,
	token.SHL_ASSIGN:     assigns,
	token.SHR_ASSIGN:     assigns,
	token.AND_NOT_ASSIGN: assigns,

	token.PERIOD:    suffix,
	token.LPAREN:    suffix | typeLit,
	token.LBRACK:    suffix | typeLit,
	token.LBRACE:    suffix,
	token.RPAREN:    syncList,
	token.RBRACK:    syncList,
	token.RBRACE:    syncList | closesList,
	token.COMMA:     syncList,
	token.COLON:     syncList,
	token.SEMICOLON: syncList,

	token.CHAN:      typeLit,
	token.FUNC:      typeLit,
	token.INTERFACE: typeLit,
	token.MAP:       typeLit,
	token.STRUCT:    typeLit,

	token.IMPORT: syncDecl,
	token.CONST:  syncDecl | syncStmt,
	token.TYPE:   syncDecl | syncStmt,
	token.VAR:    syncDecl | syncStmt,

	token.CASE:        closesList,
	token.DEFAULT:     closesList,
	token.BREAK:       syncStmt,
	token.CONTINUE:    syncStmt,
	token.DEFER:       syncStmt,
	token.FALLTHROUGH: syncStmt,
	token.FOR:         syncStmt,
	token.GO:          syncStmt,
	token.GOTO:        syncStmt,
	token.IF:          syncStmt,
	token.RETURN:      syncStmt,
	token.SELECT:      syncStmt,
	token.SWITCH:      syncStmt,
}

// at says whether the current token can play one of these parts.
func (p *parser) at(parts role) bool { return roles[p.tok]&parts != 0 }
