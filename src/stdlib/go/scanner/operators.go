package scanner

import "go/token"

// single has the tokens of one character.
var single = [...]token.Token{
	'!': token.NOT, '%': token.REM, '&': token.AND, '(': token.LPAREN, ')': token.RPAREN,
	'*': token.MUL, '+': token.ADD, ',': token.COMMA, '-': token.SUB, '.': token.PERIOD,
	'/': token.QUO, ':': token.COLON, '<': token.LSS, '=': token.ASSIGN, '>': token.GTR,
	'[': token.LBRACK, ']': token.RBRACK, '^': token.XOR, '{': token.LBRACE, '|': token.OR,
	'}': token.RBRACE, '~': token.TILDE,
}

// longer has, for a token, which others it becomes with one more character.
var longer = [...][3]struct {
	ch  rune
	tok token.Token
}{
	token.ADD:     {{'+', token.INC}, {'=', token.ADD_ASSIGN}},
	token.SUB:     {{'-', token.DEC}, {'=', token.SUB_ASSIGN}},
	token.MUL:     {{'=', token.MUL_ASSIGN}},
	token.QUO:     {{'=', token.QUO_ASSIGN}},
	token.REM:     {{'=', token.REM_ASSIGN}},
	token.AND:     {{'&', token.LAND}, {'=', token.AND_ASSIGN}, {'^', token.AND_NOT}},
	token.OR:      {{'|', token.LOR}, {'=', token.OR_ASSIGN}},
	token.XOR:     {{'=', token.XOR_ASSIGN}},
	token.SHL:     {{'=', token.SHL_ASSIGN}},
	token.SHR:     {{'=', token.SHR_ASSIGN}},
	token.AND_NOT: {{'=', token.AND_NOT_ASSIGN}},
	token.LSS:     {{'=', token.LEQ}, {'<', token.SHL}, {'-', token.ARROW}},
	token.GTR:     {{'=', token.GEQ}, {'>', token.SHR}},
	token.ASSIGN:  {{'=', token.EQL}},
	token.NOT:     {{'=', token.NEQ}},
	token.COLON:   {{'=', token.DEFINE}},
}

// operator takes the operator or delimiter that begins with first, which is taken already.
func (s *Scanner) operator(first rune) token.Token {
	if first < 0 || int(first) >= len(single) {
		return token.ILLEGAL
	}
	tok := single[first]
	if tok == token.PERIOD && s.ch == '.' && s.after < len(s.text) && s.text[s.after] == '.' {
		s.next()
		s.next()
		return token.ELLIPSIS
	}
	for int(tok) < len(longer) {
		next := token.ILLEGAL
		for _, l := range &longer[tok] {
			if l.ch == s.ch && l.ch != 0 {
				next = l.tok
			}
		}
		if next == token.ILLEGAL {
			break
		}
		s.next()
		tok = next
	}
	return tok
}

// ending has the tokens that a newline behind them ends a statement with.
var ending = [...]bool{
	token.IDENT: true, token.INT: true, token.FLOAT: true, token.IMAG: true, token.CHAR: true,
	token.STRING: true, token.INC: true, token.DEC: true, token.RPAREN: true,
	token.RBRACK: true, token.RBRACE: true, token.BREAK: true, token.CONTINUE: true,
	token.FALLTHROUGH: true, token.RETURN: true,
}
