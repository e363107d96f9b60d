// Resume prints what comes out where Go's functions are left in the middle and gone on with: after panics, in goroutines
// that wait, when a stack grows.
package main

import (
	"errors"
	"iter"
	"runtime"
	"strings"
	"sync"
)

var errOwn = errors.New("own")

func main() {
	for _, c := range []struct {
		name string
		does func() string
	}{
		{"a panic", func() string { return recovered(func() { panic("p") }) }},
		{"a nil pointer", func() string { return recovered(func() { var p *struct{ n int }; p.n++ }) }},
		{"an index", func() string { return recovered(func() { var s []int; s[len(s)]++ }) }},
		{"a division", func() string { return recovered(func() { zero := 0; println(1 / zero) }) }},
		{"a deferred nil", func() string { return recovered(func() { var f func(); defer f() }) }},
		{"deferred nils in a loop", func() string {
			return recovered(func() {
				for range 2 {
					var f func()
					defer f()
				}
			})
		}},
		{"results", results},
		{"some of many", some},
		{"defers in a loop", loops},
		{"one panic over another", nested},
		{"a panic from a recover", again},
		{"Goexit", func() string { return left(func() { runtime.Goexit() }) }},
		{"Goexit in what is deferred", func() string { return left(func() { defer runtime.Goexit(); panic("p") }) }},
		{"a recover before Goexit goes on", func() string {
			return left(func() {
				defer func() { recover(); recover() }()
				defer func() { defer func() { recover() }(); panic("p") }()
				runtime.Goexit()
			})
		}},
		{"callers", callers},
		{"a loop over a function", over},
		{"a stack that grows", func() string { return digits(grown(20_000, [4]int{1, 2, 3, 4})) }},
		{"a panic from deep", func() string { return recovered(func() { deep(5_000) }) }},
		{"goroutines in turn", turns},
		{"a wait within loops", waits},
	} {
		println(c.name+":", c.does())
	}
}

func digits(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return digits(n/10) + digits(n%10)
}

// recovered tells what a function panicked with.
func recovered(f func()) (said string) {
	defer func() {
		switch r := recover().(type) {
		case error:
			said = r.Error()
		case string:
			said = r
		default:
			said = "no panic"
		}
	}()
	f()
	return "it came back"
}

// left tells whether a goroutine ended without coming back.
func left(f func()) (how string) {
	done := make(chan string, 1)
	go func() {
		how := "left"
		defer func() { done <- how }()
		f()
		how = "came back"
	}()
	return <-done
}

func results() string {
	f := func(n int) (out int, err error) {
		defer func() {
			if recover() != nil {
				out, err = out+100*n, errOwn
			}
		}()
		for i := range n {
			out += i
			if i == 3 {
				panic(i)
			}
		}
		return out, nil
	}
	a, none := f(3)
	b, err := f(9)
	return digits(a) + " " + digits(b) + " " + digits(map[bool]int{true: 1}[none == nil && err == errOwn])
}

// some has defers under conditions, and the middle one recovers.
func some() (said string) {
	for which := range 8 {
		func() {
			defer func() { said += "c" }()
			if which&1 != 0 {
				defer func() { said += "r"; recover() }()
			}
			if which&2 != 0 {
				defer func() { said += "b" }()
			}
			defer func() {
				if which&1 == 0 {
					recover()
				}
			}()
			if which&4 != 0 {
				panic("p")
			}
			said += "."
		}()
	}
	return said
}

func loops() (said string) {
	func() {
		defer func() { said += "!" }()
		for i := range 12 {
			defer func() {
				said += digits(i)
				if i%5 == 2 {
					recover()
				}
				if i%5 == 4 {
					panic(i)
				}
			}()
		}
	}()
	return said
}

func nested() string {
	return recovered(func() {
		defer func() { panic("outer") }()
		defer func() {
			defer func() { recover() }()
			panic("within")
		}()
		panic("first")
	})
}

func again() string {
	return recovered(func() {
		defer func() { panic(recover().(string) + " again") }()
		panic("p")
	})
}

func callers() (names string) {
	defer func() {
		recover()
		pcs := make([]uintptr, 20)
		frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
		for {
			f, more := frames.Next()
			if strings.HasPrefix(f.Function, "main.") {
				names += f.Function + ":" + digits(f.Line) + " "
			}
			if !more {
				return
			}
		}
	}()
	deep(2)
	return "none"
}

func deep(n int) int {
	defer func() { runtime.KeepAlive(n) }()
	if n == 0 {
		panic("from deep")
	}
	return deep(n-1) + 1
}

func grown(n int, room [4]int) int {
	if n == 0 {
		runtime.GC()
		return room[3]
	}
	sum := 0
	for i, r := range room {
		room[i] = (r + n) % 1000
		sum ^= room[i]
	}
	return (grown(n-1, room) + sum) % 100_003
}

func over() (said string) {
	numbers := func(yield func(int) bool) {
		defer func() { said += "end " }()
		for i := 0; yield(i); i++ {
		}
	}
	f := func() (n int) {
		defer func() { recover() }()
		for i := range iter.Seq[int](numbers) {
			defer func() { said += digits(i); n += i }()
			if i == 4 {
				panic("p")
			}
		}
		return -1
	}
	n := f()
	next, stop := iter.Pull(numbers)
	a, _ := next()
	b, _ := next()
	stop()
	return said + digits(n) + digits(a) + digits(b)
}

// turns is a sum of what goroutines hand on, one to the next.
func turns() string {
	in, out := make(chan int), make(chan int)
	var all sync.WaitGroup
	var mu sync.Mutex
	seen := 0
	for range 3 {
		all.Go(func() {
			for v := range in {
				func() {
					mu.Lock()
					defer mu.Unlock()
					runtime.Gosched()
					seen++
				}()
				select {
				case out <- v * v:
				case <-make(chan int):
				}
			}
		})
	}
	go func() {
		for i := range 100 {
			in <- i
		}
		close(in)
		all.Wait()
		close(out)
	}()
	sum := 0
	for v := range out {
		sum += v
	}
	return digits(sum) + " " + digits(seen)
}

// waits leaves loops in the middle.
func waits() string {
	sum := 0
	for i := range 7 {
		for j := range i {
			if j%3 == 1 {
				runtime.Gosched()
				continue
			}
			done := make(chan int)
			go func() { runtime.Gosched(); done <- i * j }()
			for k := 0; ; k++ {
				runtime.Gosched()
				if k == j {
					break
				}
				sum++
			}
			sum += <-done
		}
	}
	return digits(sum)
}
