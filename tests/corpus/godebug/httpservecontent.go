// run
//go:debug httpservecontentkeepheaders=1
//go:debug httpservecontentmaxranges=2

// With httpservecontentkeepheaders=1 headers of the content stay where there is an error;
// httpservecontentmaxranges=N is how many ranges there may be.
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"
)

func main() {
	for _, ranges := range []string{"bytes=0-1", "bytes=0-1,3-4", "bytes=0-0,2-2,4-4", "bytes=99-"} {
		w := httptest.NewRecorder()
		w.Header().Set("Cache-Control", "x")
		w.Header().Set("Etag", `"e"`)
		w.Header().Set("Content-Encoding", "y")
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Range", ranges)
		http.ServeContent(w, r, "a.txt", time.Time{}, strings.NewReader("0123456789"))
		h := w.Header()
		fmt.Println(ranges, w.Code, h["Cache-Control"], h["Etag"], h["Content-Encoding"], w.Body.Len() > 10)
	}
}
