// errorcheck

package main

import (
	"fmt"
	"internal/poll"
)

func main() { fmt.Println(poll.ErrNoDeadline) }
