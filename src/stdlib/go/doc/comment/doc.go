// Package comment reads doc comments, and prints them as text, Markdown, HTML, or as comments.
package comment

import "slices"

// Doc is a comment that has been read.
type Doc struct {
	Content []Block
	Links   []*LinkDef // in the order of the text
}

// LinkDef is a line `[Text]: URL`.
type LinkDef struct {
	Text string
	URL  string
	Used bool // does a text of the comment refer to it?
}

// Block is a *Code, *Heading, *List or *Paragraph.
type Block interface {
	block()
}

// Heading is a line that begins with `# `, or one that looks like a title.
type Heading struct {
	Text []Text
}

// List has an item at least. Either all items are numbered or none is.
type List struct {
	Items []*ListItem
	// ForceBlankBefore says that there was a blank line in front of the list.
	ForceBlankBefore bool
	// ForceBlankBetween says that there were blank lines within the list.
	ForceBlankBetween bool
}

// ListItem is an item of a list.
type ListItem struct {
	Number  string // decimal digits; empty in a list with bullets
	Content []Block
}

// Paragraph is text that is filled.
type Paragraph struct {
	Text []Text
}

// Code is text that stays as it is. It ends with a line end, and its first and last line are not
// blank.
type Code struct {
	Text string
}

func (*Code) block() {}

// BlankBetween says whether blank lines go between the items: some were there, or an item is not
// just a paragraph.
func (l *List) BlankBetween() bool {
	isMore := func(item *ListItem) bool { return len(item.Content) != 1 }
	return l.ForceBlankBetween || slices.ContainsFunc(l.Items, isMore)
}

// BlankBefore says whether a blank line goes in front of the list.
func (l *List) BlankBefore() bool { return l.ForceBlankBefore || l.BlankBetween() }

func (*Paragraph) block() {}

func (*List) block()    {}
func (*Heading) block() {}

// Text is a Plain, an Italic, a *Link or a *DocLink.
type Text interface {
	text()
}

// Plain is text without more.
type Plain string

// Italic is text in italics.
type Italic string

// Link is a link to a URL; Auto, if the text names the URL itself.
type Link struct {
	Auto bool
	Text []Text
	URL  string
}

// DocLink is a link to what documents a package (ImportPath), something of a package (Name), or a
// method (Recv, Name). Without ImportPath it is of the package itself.
type DocLink struct {
	Text       []Text
	ImportPath string
	Recv       string // a type's name, without a star
	Name       string
}

func (Plain) text()    {}
func (Italic) text()   {}
func (*Link) text()    {}
func (*DocLink) text() {}

// isBlockOfItsOwn says whether a blank line separates x from the block before.
func isBlockOfItsOwn(x Block) bool {
	list, ok := x.(*List)
	return !ok || list.BlankBefore()
}
