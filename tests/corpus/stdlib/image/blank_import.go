// run

// A package that is imported for its init functions alone has them run.
package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	_ "image/gif"
	_ "image/png"
)

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNiAAAABgADNjd8qAAAAABJRU5ErkJg" +
	"gg=="

func main() {
	data, err := base64.StdEncoding.DecodeString(pixel)
	if err != nil {
		fmt.Println(err)
	}
	_, name, err := image.DecodeConfig(bytes.NewReader(data))
	fmt.Println(name, err)
	_, name, err = image.DecodeConfig(bytes.NewReader([]byte("GIF89a")))
	fmt.Println(name, err)
	_, name, err = image.DecodeConfig(bytes.NewReader([]byte("\xff\xd8\xff")))
	fmt.Println(name, err)
}
