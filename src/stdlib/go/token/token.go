// Package token has the tokens of Go, and positions in source text.
package token

import (
	"strconv"
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

// Precedence says how tightly a binary operator binds; LowestPrec if op is none.
func (op Token) Precedence() int {
	switch op {
	case LOR:
		return 1
	case LAND:
		return 2
	case EQL, NEQ, LSS, LEQ, GTR, GEQ:
		return 3
	case ADD, SUB, OR, XOR:
		return 4
	case MUL, QUO, REM, SHL, SHR, AND, AND_NOT:
		return 5
	default:
		return LowestPrec
	}
}

// Lookup returns the keyword of that text, or IDENT.
func Lookup(ident string) Token {
	if len(ident) < 2 || len(ident) > len("fallthrough") {
		return IDENT
	}
	low, high := int(keywords)+1, int(keywordsEnd)
	for low < high { // they are sorted
		mid := (low + high) / 2
		if texts[mid] < ident {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low < int(keywordsEnd) && texts[low] == ident {
		return Token(low)
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
	if name == "" || IsKeyword(name) {
		return false
	}
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return true
}
