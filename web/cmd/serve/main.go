// Serve shows a folder on this machine, for development.
//
//	serve [-port 8080] DIR
//
// It listens on 127.0.0.1 only, and lets nothing be cached, so that a reload shows what was built last.
package main

import (
	"errors"
	"flag"
	"fmt"
	"mime"
	"net"
	"net/http"
	"os"
	"syscall"
)

func main() {
	port := flag.Int("port", 8080, "where to listen; the next free one if it is taken")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: serve [-port 8080] DIR")
		os.Exit(2)
	}
	if err := serve(flag.Arg(0), *port); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func serve(dir string, port int) error {
	if info, err := os.Stat(dir); err != nil {
		return err
	} else if !info.IsDir() {
		return fmt.Errorf("%s is a file, want a folder", dir)
	}
	l, err := listen(port)
	if err != nil {
		return err
	}
	fmt.Printf("Stormbin is at http://%s/  (Ctrl-C ends it)\n", l.Addr())
	return http.Serve(l, handler(dir))
}

// listen takes the port, or says that it is taken and takes the next free one.
func listen(port int) (net.Listener, error) {
	for p := port; ; p++ {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", p))
		if !errors.Is(err, syscall.EADDRINUSE) {
			return l, err
		}
		fmt.Printf("port %d is taken, trying %d\n", p, p+1)
	}
}

// types are told by ending here, since what a machine says of endings differs from one to the next.
var types = map[string]string{
	".css":  "text/css; charset=utf-8",
	".gz":   "application/gzip",
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".png":  "image/png",
	".svg":  "image/svg+xml",
	".wasm": "application/wasm",
}

func handler(dir string) http.Handler {
	for ending, is := range types {
		if err := mime.AddExtensionType(ending, is); err != nil {
			panic(err) // the table above is wrong
		}
	}
	files := http.FileServer(http.Dir(dir))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		files.ServeHTTP(w, r)
	})
}
