// Storm runs scenarios without a browser: the same engine, the same scenarios, the same numbers.
package main

import "os"

func main() { os.Exit(storm(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
