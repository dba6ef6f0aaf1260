// run

// A text adventure: rooms from a table, a parser of commands, saved games with gob, and a script.
package main

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

type Direction byte

const (
	North Direction = 'n'
	South Direction = 's'
	East  Direction = 'e'
	West  Direction = 'w'
)

var opposite = map[Direction]Direction{North: South, South: North, East: West, West: East}
var names = map[Direction]string{North: "north", South: "south", East: "east", West: "west"}

type Item interface {
	Name() string
	Use(g *Game, on string) (string, error)
}

type Lamp struct{ Lit bool }
type Key struct{ Opens string }
type Rock struct{ Weight int }

func (*Lamp) Name() string { return "lamp" }
func (l *Lamp) Use(g *Game, _ string) (string, error) {
	l.Lit = !l.Lit
	if l.Lit {
		return "The lamp shines.", nil
	}
	return "The lamp goes out.", nil
}
func (Key) Name() string { return "key" }
func (k Key) Use(g *Game, on string) (string, error) {
	if on != k.Opens || g.At != "hall" {
		return "", fmt.Errorf("the key does not fit the %q", on)
	}
	g.Rooms["hall"].Locked = 0
	return "Click.", nil
}
func (r Rock) Name() string { return "rock" }
func (r Rock) Use(*Game, string) (string, error) {
	return "", &tooHeavy{r.Weight}
}

type tooHeavy struct{ kg int }

func (e *tooHeavy) Error() string { return fmt.Sprintf("%d kg are too much to throw", e.kg) }

type Room struct {
	Text   string
	Exits  map[Direction]string
	Items  []Item
	Dark   bool
	Locked Direction
}

type Game struct {
	Rooms  map[string]*Room
	At     string
	Carry  []Item
	Moves  int
	Won    bool
	Events []string
}

var errQuit = errors.New("quit")

func newGame() *Game {
	g := &Game{At: "garden", Rooms: map[string]*Room{
		"garden": {Text: "A wild garden.", Items: []Item{Rock{12}, &Lamp{}}},
		"hall":   {Text: "A great hall with a door.", Locked: East},
		"cellar": {Text: "A damp cellar.", Dark: true, Items: []Item{Key{"door"}}},
		"vault":  {Text: "Gold everywhere!"},
	}}
	for _, e := range []struct {
		from string
		d    Direction
		to   string
	}{{"garden", North, "hall"}, {"hall", West, "cellar"}, {"hall", East, "vault"}} {
		g.connect(e.from, e.d, e.to)
	}
	return g
}

func (g *Game) connect(from string, d Direction, to string) {
	for _, x := range []struct {
		r string
		d Direction
		t string
	}{{from, d, to}, {to, opposite[d], from}} {
		r := g.Rooms[x.r]
		if r.Exits == nil {
			r.Exits = map[Direction]string{}
		}
		r.Exits[x.d] = x.t
	}
}

func (g *Game) light() bool {
	return !g.Rooms[g.At].Dark || slices.ContainsFunc(g.Carry, func(i Item) bool {
		l,
			ok := i.(*Lamp)
		return ok && l.Lit
	})
}

func (g *Game) look() string {
	r := g.Rooms[g.At]
	if !g.light() {
		return "It is dark."
	}
	var b strings.Builder
	b.WriteString(r.Text)
	for _, i := range r.Items {
		b.WriteString(" There is a " + i.Name() + ".")
	}
	b.WriteString(" Exits:")
	for _, d := range slices.Sorted(maps.Keys(r.Exits)) {
		b.WriteString(" " + names[d])
	}
	return b.String()
}

func move(from, to *[]Item, name string) bool {
	i := slices.IndexFunc(*from, func(i Item) bool { return i.Name() == name })
	if i < 0 {
		return false
	}
	*to = append(*to, (*from)[i])
	*from = slices.Delete(*from, i, i+1)
	return true
}

func (g *Game) do(line string) (answer string, err error) {
	words := slices.DeleteFunc(strings.Fields(strings.ToLower(line)),
		func(w string) bool { return w == "the" || w == "a" || w == "with" || w == "on" })
	if len(words) == 0 {
		return "", errors.New("say something")
	}
	defer func() {
		if err == nil {
			g.Moves++
		}
	}()
	arg := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	r := g.Rooms[g.At]
	switch verb := words[0]; verb {
	case "look", "l":
		return g.look(), nil
	case "north", "south", "east", "west", "n", "s", "e", "w":
		d := Direction(verb[0])
		to, ok := r.Exits[d]
		switch {
		case !ok:
			return "", errors.New("there is no way " + names[d])
		case r.Locked == d:
			return "", errors.New("the door is locked")
		}
		g.At = to
		if to == "vault" {
			g.Won = true
		}
		return g.look(), nil
	case "take":
		if !g.light() || !move(&r.Items, &g.Carry, arg(1)) {
			return "", fmt.Errorf("no %s here", arg(1))
		}
		return "Taken.", nil
	case "drop":
		if !move(&g.Carry, &r.Items, arg(1)) {
			return "", fmt.Errorf("you have no %s", arg(1))
		}
		return "Dropped.", nil
	case "use", "throw":
		for _, i := range g.Carry {
			if i.Name() == arg(1) {
				return i.Use(g, arg(2))
			}
		}
		return "", fmt.Errorf("you have no %s", arg(1))
	case "inventory", "i":
		out := []string{}
		for _, i := range g.Carry {
			out = append(out, fmt.Sprintf("%s%+v", i.Name(), i))
		}
		return strings.Join(out, ", "), nil
	case "quit":
		return "", errQuit
	default:
		return "", fmt.Errorf("I do not know how to %s", verb)
	}
}

func (g *Game) save() ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(g)
	return b.Bytes(), err
}

func load(b []byte) (*Game, error) {
	g := new(Game)
	return g, gob.NewDecoder(bytes.NewReader(b)).Decode(g)
}

func main() {
	gob.Register(&Lamp{})
	gob.Register(Key{})
	gob.RegisterName("rock", Rock{})
	g := newGame()
	script := `look
take rock
throw the rock
drop rock
north
east
west
take key
n
take lamp
east
south
take the lamp
use lamp
n
w
look
take a key
i
e
use key on window
use the key with the door
save
e
dance

use lamp
restore
i
e
quit`
	var saved []byte
	for _, line := range strings.Split(script, "\n") {
		fmt.Println(">", line)
		var err error
		answer := ""
		switch line {
		case "save":
			saved, err = g.save()
			answer = fmt.Sprint(len(saved) > 200)
		case "restore":
			g, err = load(saved)
		default:
			answer, err = g.do(line)
		}
		var heavy *tooHeavy
		switch {
		case errors.Is(err, errQuit):
			fmt.Println("won:", g.Won, "moves:", g.Moves)
			_, err := load(saved[:len(saved)/2])
			fmt.Println(err)
			return
		case errors.As(err, &heavy):
			fmt.Println("(heavy)", err)
		case err != nil:
			fmt.Fprintln(os.Stdout, "!", err)
		default:
			fmt.Println(answer)
		}
	}
}
