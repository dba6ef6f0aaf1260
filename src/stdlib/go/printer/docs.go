package printer

// This file formats doc comments.

import (
	"go/ast"
	"go/doc/comment"
	"strings"
)

// formatDoc returns a doc comment in its usual form, which can be empty. Directives go behind the
// text. What is not a doc comment in form stays as it is.
func formatDoc(list []*ast.Comment) []*ast.Comment {
	first := list[0]
	if len(list) == 1 && strings.HasPrefix(first.Text, "/*") {
		text := first.Text
		if !strings.Contains(text, "\n") || isStarred(text) {
			return list
		}
		if text = text[2 : len(text)-2]; text == "" {
			return list
		}
		return []*ast.Comment{{Slash: first.Slash, Text: "/*\n" + format(text) + "*/"}}
	}
	var text strings.Builder
	var directives []string
	for _, c := range list {
		line, ok := strings.CutPrefix(c.Text, "//")
		switch {
		case !ok:
			return list
		case isDirective(line):
			directives = append(directives, c.Text)
		default:
			text.WriteString(strings.TrimPrefix(line, " ") + "\n")
		}
	}
	if text.Len() == 0 {
		return list
	}
	var result []*ast.Comment
	add := func(text string) {
		result = append(result, &ast.Comment{Slash: first.Slash, Text: text})
	}
	for line := range strings.Lines(format(text.String())) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && line[0] != '\t' {
			line = " " + line
		}
		add("//" + line)
	}
	if len(directives) > 0 {
		add("//")
	}
	for _, text := range directives {
		add(text)
	}
	return result
}

func format(text string) string {
	return string(new(comment.Printer).Comment(new(comment.Parser).Parse(text)))
}

// isDirective says whether a comment is for a tool; line is without slashes.
func isDirective(line string) bool {
	for _, word := range []string{"line ", "extern ", "export "} {
		if strings.HasPrefix(line, word) {
			return true
		}
	}
	tool, rest, ok := strings.Cut(line, ":")
	if !ok || tool == "" || rest == "" {
		return false
	}
	return strings.Trim(tool+rest[:1], "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// isStarred says whether a star begins all lines but the first.
func isStarred(text string) bool {
	for i, line := range strings.Split(text, "\n") {
		if i > 0 && !strings.HasPrefix(strings.TrimLeft(line, " \t"), "*") {
			return false
		}
	}
	return true
}
