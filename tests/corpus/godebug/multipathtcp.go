// run
//go:debug multipathtcp=0

// multipathtcp=N says who uses Multipath TCP if nobody says otherwise.
package main

import (
	"fmt"
	"net"
	"os"
)

func main() {
	for _, setting := range []string{"", "multipathtcp=1", "multipathtcp=2", "multipathtcp=3", "multipathtcp=9"} {
		os.Setenv("GODEBUG", setting)
		var d net.Dialer
		var lc net.ListenConfig
		fmt.Println(setting, d.MultipathTCP(), lc.MultipathTCP())
		d.SetMultipathTCP(true)
		lc.SetMultipathTCP(false)
		fmt.Println(d.MultipathTCP(), lc.MultipathTCP())
	}
}
