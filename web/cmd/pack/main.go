// Pack gzips a file for the site and says how large it was and is.
//
//	pack IN OUT
//
// The same bytes in give the same bytes out: no name and no date is kept.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: pack IN OUT")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func pack(in, out string) error {
	raw, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(raw); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	// A server may be reading out: it sees the old file or the new one, never half of it.
	half := out + ".half"
	if err := os.WriteFile(half, packed.Bytes(), 0o644); err != nil {
		return err
	}
	if err := os.Rename(half, out); err != nil {
		return err
	}
	fmt.Printf("%.1f MB, %.2f MB gzip\n", float64(len(raw))/1e6, float64(packed.Len())/1e6)
	return nil
}
