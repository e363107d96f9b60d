// Bytes says how large files are: as they are, with gzip -9 and with brotli -11.
//
//	bytes FILE...
package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/andybalholm/brotli"
)

func main() {
	fmt.Printf("%-20s %10s %10s %10s\n", "", "raw", "gzip", "brotli")
	for _, name := range os.Args[1:] {
		raw, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, "bytes:", err)
			os.Exit(1)
		}
		var zipped, brotlied size
		z, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression) // the level is a good one
		compress(z, raw)
		compress(brotli.NewWriterLevel(&brotlied, brotli.BestCompression), raw)
		fmt.Printf("%-20s %10d %10d %10d\n", filepath.Base(name), len(raw), zipped, brotlied)
	}
}

// size counts what is written to it, and so never fails.
type size int

func (s *size) Write(b []byte) (int, error) {
	*s += size(len(b))
	return len(b), nil
}

func compress(w io.WriteCloser, b []byte) {
	w.Write(b)
	w.Close()
}
