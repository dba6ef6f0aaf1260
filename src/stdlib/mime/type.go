// Package mime knows media types, their names for files, and words of headers that are not ASCII.
package mime

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
)

// Types that are known without asking the system.
var builtin = map[string]string{
	".ai":    "application/postscript",
	".apk":   "application/vnd.android.package-archive",
	".apng":  "image/apng",
	".avif":  "image/avif",
	".bin":   "application/octet-stream",
	".bmp":   "image/bmp",
	".com":   "application/octet-stream",
	".css":   "text/css; charset=utf-8",
	".csv":   "text/csv; charset=utf-8",
	".doc":   "application/msword",
	".docx":  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	".ehtml": "text/html; charset=utf-8",
	".eml":   "message/rfc822",
	".eps":   "application/postscript",
	".exe":   "application/octet-stream",
	".flac":  "audio/flac",
	".gif":   "image/gif",
	".gz":    "application/gzip",
	".htm":   "text/html; charset=utf-8",
	".html":  "text/html; charset=utf-8",
	".ico":   "image/vnd.microsoft.icon",
	".ics":   "text/calendar; charset=utf-8",
	".jfif":  "image/jpeg",
	".jpeg":  "image/jpeg",
	".jpg":   "image/jpeg",
	".js":    "text/javascript; charset=utf-8",
	".json":  "application/json",
	".m4a":   "audio/mp4",
	".mjs":   "text/javascript; charset=utf-8",
	".mp3":   "audio/mpeg",
	".mp4":   "video/mp4",
	".oga":   "audio/ogg",
	".ogg":   "audio/ogg",
	".ogv":   "video/ogg",
	".opus":  "audio/ogg",
	".pdf":   "application/pdf",
	".pjp":   "image/jpeg",
	".pjpeg": "image/jpeg",
	".png":   "image/png",
	".ppt":   "application/vnd.ms-powerpoint",
	".pptx":  "application/vnd.openxmlformats-officedocument.presentationml.presentation",
	".ps":    "application/postscript",
	".rdf":   "application/rdf+xml",
	".rtf":   "application/rtf",
	".shtml": "text/html; charset=utf-8",
	".svg":   "image/svg+xml",
	".text":  "text/plain; charset=utf-8",
	".tif":   "image/tiff",
	".tiff":  "image/tiff",
	".txt":   "text/plain; charset=utf-8",
	".vtt":   "text/vtt; charset=utf-8",
	".wasm":  "application/wasm",
	".wav":   "audio/wav",
	".weba":  "audio/webm",
	".webm":  "video/webm",
	".webp":  "image/webp",
	".xbl":   "text/xml; charset=utf-8",
	".xbm":   "image/x-xbitmap",
	".xht":   "application/xhtml+xml",
	".xhtml": "application/xhtml+xml",
	".xls":   "application/vnd.ms-excel",
	".xlsx":  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	".xml":   "text/xml; charset=utf-8",
	".xsl":   "text/xml; charset=utf-8",
	".zip":   "application/zip",
}

// What is known of types and names of files.
var known struct {
	once sync.Once
	mu   sync.RWMutex
	// By extension, as it is written and in lower case.
	types, lower map[string]string
	// By type, in lower case.
	extensions map[string][]string
}

// begin fills the tables: from what is built in, and from the system's files.
func begin() {
	known.types = make(map[string]string)
	known.lower = make(map[string]string)
	known.extensions = make(map[string][]string)
	for ext, t := range builtin {
		known.types[ext] = t
		known.lower[ext] = t
		base, _, _ := ParseMediaType(t)
		known.extensions[base] = append(known.extensions[base], ext)
	}
	for _, name := range []string{"/usr/local/share/mime/globs2", "/usr/share/mime/globs2"} {
		if readGlobs(name) {
			return
		}
	}
	for _, name := range []string{
		"/etc/mime.types", "/etc/apache2/mime.types", "/etc/apache/mime.types", "/etc/httpd/conf/mime.types",
	} {
		readTypes(name)
	}
}

// eachLine is false if there is no such file.
func eachLine(name string, f func(line string)) (exists bool) {
	file, err := os.Open(name)
	if err == nil {
		defer file.Close()
		lines := bufio.NewScanner(file)
		for exists = true; lines.Scan(); {
			f(lines.Text())
		}
		if err = lines.Err(); err != nil {
			panic(err)
		}
	}
	return exists
}

// readGlobs reads lines of weight:type:glob, the weightiest first.
func readGlobs(name string) bool {
	return eachLine(name, func(line string) {
		fields := strings.Split(line, ":")
		if len(fields) < 3 || fields[0] == "" || fields[0][0] == '#' || len(fields[2]) < 3 {
			return
		}
		ext, ok := strings.CutPrefix(fields[2], "*")
		if !ok || ext[0] != '.' || strings.ContainsAny(ext, "?*[") {
			return
		}
		if _, isKnown := known.types[ext]; !isKnown {
			set(ext, fields[1])
		}
	})
}

// readTypes reads lines of a type and extensions without their dots.
func readTypes(name string) {
	eachLine(name, func(line string) {
		fields := strings.Fields(line)
		if len(fields) <= 1 || fields[0][0] == '#' {
			return
		}
		for _, ext := range fields[1:] {
			if strings.HasPrefix(ext, "#") {
				break
			}
			set("."+ext, fields[0])
		}
	})
}

// set is called with the tables locked, or by begin.
func set(ext, t string) error {
	base, params, err := ParseMediaType(t)
	if err != nil {
		return err
	}
	if strings.HasPrefix(t, "text/") && params["charset"] == "" {
		params["charset"] = "utf-8"
		t = FormatMediaType(base, params)
	}
	lower := strings.ToLower(ext)
	known.types[ext] = t
	known.lower[lower] = t
	if !slices.Contains(known.extensions[base], lower) {
		known.extensions[base] = append(known.extensions[base], lower)
	}
	return nil
}

// TypeByExtension is the type of files whose name ends so; empty if that is not known.
func TypeByExtension(ext string) string {
	known.once.Do(begin)
	known.mu.RLock()
	defer known.mu.RUnlock()
	if t, ok := known.types[ext]; ok {
		return t
	}
	return known.lower[strings.ToLower(ext)]
}

// AddExtensionType says that files whose name ends so are of that type.
func AddExtensionType(ext, typ string) error {
	if !strings.HasPrefix(ext, ".") {
		return fmt.Errorf("mime: extension %q missing leading dot", ext)
	}
	known.once.Do(begin)
	known.mu.Lock()
	defer known.mu.Unlock()
	return set(ext, typ)
}

// ExtensionsByType has the endings of names of such files, in order.
func ExtensionsByType(typ string) (sorted []string, err error) {
	base, _, err := ParseMediaType(typ)
	if err == nil {
		known.once.Do(begin)
		known.mu.RLock()
		sorted = slices.Clone(known.extensions[base])
		known.mu.RUnlock()
		slices.Sort(sorted)
	}
	return sorted, err
}
