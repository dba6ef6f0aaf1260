// Package token has the tokens of Go, and positions in source text.
//
// This file has the tokens. They are numbers, and what is known of them is in tables by number:
// their texts, how tightly they bind, and for keywords a table by a hash of the text.
// position.go has files and the places in them.
package token

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Token is a kind of token.
type Token int

const (
	ILLEGAL Token = iota
	EOF
	COMMENT

	literals
	IDENT
	INT
	FLOAT
	IMAG
	CHAR
	STRING
	literalsEnd

	operators
	ADD
	SUB
	MUL
	QUO
	REM
	AND
	OR
	XOR
	SHL
	SHR
	AND_NOT
	ADD_ASSIGN
	SUB_ASSIGN
	MUL_ASSIGN
	QUO_ASSIGN
	REM_ASSIGN
	AND_ASSIGN
	OR_ASSIGN
	XOR_ASSIGN
	SHL_ASSIGN
	SHR_ASSIGN
	AND_NOT_ASSIGN
	LAND
	LOR
	ARROW
	INC
	DEC
	EQL
	LSS
	GTR
	ASSIGN
	NOT
	NEQ
	LEQ
	GEQ
	DEFINE
	ELLIPSIS
	LPAREN
	LBRACK
	LBRACE
	COMMA
	PERIOD
	RPAREN
	RBRACK
	RBRACE
	SEMICOLON
	COLON
	operatorsEnd

	keywords
	BREAK
	CASE
	CHAN
	CONST
	CONTINUE
	DEFAULT
	DEFER
	ELSE
	FALLTHROUGH
	FOR
	FUNC
	GO
	GOTO
	IF
	IMPORT
	INTERFACE
	MAP
	PACKAGE
	RANGE
	RETURN
	SELECT
	STRUCT
	SWITCH
	TYPE
	VAR
	keywordsEnd

	additional
	TILDE
)

// texts has what each token looks like, or its name, in the order of the constants.
var texts = [...]string{
	"ILLEGAL", "EOF", "COMMENT",
	"", "IDENT", "INT", "FLOAT", "IMAG", "CHAR", "STRING", "",
	"", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "&^",
	"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "&^=",
	"&&", "||", "<-", "++", "--", "==", "<", ">", "=", "!", "!=", "<=", ">=", ":=", "...",
	"(", "[", "{", ",", ".", ")", "]", "}", ";", ":", "",
	"", "break", "case", "chan", "const", "continue", "default", "defer", "else", "fallthrough",
	"for", "func", "go", "goto", "if", "import", "interface", "map", "package", "range", "return",
	"select", "struct", "switch", "type", "var", "",
	"", "~",
}

func (tok Token) String() string {
	if 0 <= tok && int(tok) < len(texts) && texts[tok] != "" {
		return texts[tok]
	}
	return "token(" + strconv.Itoa(int(tok)) + ")"
}

const (
	LowestPrec  = 0
	UnaryPrec   = 6
	HighestPrec = 7
)

// binding has how tightly binary operators bind.
var binding = [operatorsEnd]uint8{
	LOR:  1,
	LAND: 2,
	EQL:  3, NEQ: 3, LSS: 3, LEQ: 3, GTR: 3, GEQ: 3,
	ADD: 4, SUB: 4, OR: 4, XOR: 4,
	MUL: 5, QUO: 5, REM: 5, SHL: 5, SHR: 5, AND: 5, AND_NOT: 5,
}

// Precedence says how tightly a binary operator binds; LowestPrec if op is none.
func (op Token) Precedence() int {
	if uint(op) < uint(len(binding)) {
		return int(binding[op])
	}
	return LowestPrec
}

// byHash has the keywords, each at the hash that Lookup computes of its text.
var byHash = [64]Token{
	1: IMPORT, 3: MAP, 8: BREAK, 12: VAR, 13: IF, 15: CONTINUE, 18: FUNC, 20: RANGE, 22: DEFER,
	23: INTERFACE, 27: CHAN, 30: PACKAGE, 34: DEFAULT, 39: STRUCT, 42: RETURN, 43: SELECT,
	44: FALLTHROUGH, 45: ELSE, 47: GO, 48: TYPE, 51: SWITCH, 52: FOR, 59: GOTO, 61: CONST,
	63: CASE,
}

// Lookup returns the keyword of that text, or IDENT.
func Lookup(ident string) Token {
	if len(ident) > 1 {
		hash := int(ident[0]) + 4*int(ident[1]) + 6*len(ident)
		if tok := byHash[hash&63]; texts[tok] == ident && tok != ILLEGAL {
			return tok
		}
	}
	return IDENT
}

// IsLiteral is true of identifiers and basic literals.
func (tok Token) IsLiteral() bool { return literals < tok && tok < literalsEnd }

// IsOperator is true of operators and delimiters.
func (tok Token) IsOperator() bool {
	return operators < tok && tok < operatorsEnd || tok == TILDE
}

// IsKeyword is true of keywords.
func (tok Token) IsKeyword() bool { return keywords < tok && tok < keywordsEnd }

// IsExported says whether name begins with an upper-case letter.
func IsExported(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first)
}

// IsKeyword says whether name is a keyword.
func IsKeyword(name string) bool { return Lookup(name) != IDENT }

// IsIdentifier says whether name is an identifier and no keyword.
func IsIdentifier(name string) bool {
	strange := func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	first, _ := utf8.DecodeRuneInString(name)
	return name != "" && !unicode.IsDigit(first) && strings.IndexFunc(name, strange) < 0 &&
		!IsKeyword(name)
}
