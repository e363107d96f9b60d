package scenario_test

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"stormbin/engine/scenario"
)

// everything is a valid scenario with something in every field that there is.
func everything(t *testing.T) scenario.Scenario {
	t.Helper()
	s := find(t, "pastebin")
	for path, text := range map[string]string{
		"operations.read.shape":                     `[{"at": "0s", "factor": 2}]`,
		"operations.read.repeat":                    `1s`,
		"operations.create":                         `{"arrivals": "closed", "clients": 5}`,
		"processes.cap":                             `{"create": 3}`,
		"dependencies.cache.keys":                   `{"count": 10, "capacity": 5, "ttl": "1s"}`,
		"dependencies.bucket.service":               `{"dist": "table", "table": ["1ms", "2ms"]}`,
		"policy.calls.object_get.hedge_after":       `1ms`,
		"policy.calls.primary_read.retry_on":        `["refused", "lost"]`,
		"policy.breaker":                            `{"on": ["timeout"], "targets": ["cache"]}`,
		"changes":                                   `[{"at": "1s", "path": "policy.budget.percent", "value": 10}]`,
		"policy.calls.primary_read.idempotency_key": `true`,
		"faults": `[{"target": "primary", "kind": "slow"}, {"target": "primary", "kind": "stall"}, {"target": "primary", "kind": "flaky"},
			{"target": "read", "kind": "surge"}, {"target": "primary", "kind": "capacity"}]`,
	} {
		if err := scenario.SetText(&s, path, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	return s
}

// leaves are the paths of all single values.
func leaves(t *testing.T, s scenario.Scenario) (paths []string) {
	t.Helper()
	var tree any
	if err := json.Unmarshal([]byte(full(t, s)), &tree); err != nil {
		t.Fatal(err)
	}
	var walk func(tree any, path string)
	walk = func(tree any, path string) {
		switch v := tree.(type) {
		case map[string]any:
			for key, value := range v {
				walk(value, strings.TrimPrefix(path+"."+key, "."))
			}
		case []any:
			for i, value := range v {
				walk(value, path+"."+strconv.Itoa(i))
			}
		default:
			paths = append(paths, path)
		}
	}
	walk(tree, "")
	sort.Strings(paths)
	return paths
}

// complaint is what is said to be right in place of that value at that path; "" if it is.
func complaint(s scenario.Scenario, path, text string) string {
	s = s.Clone()
	err := scenario.SetText(&s, path, text)
	if err == nil {
		err = s.Validate()
	}
	for _, one := range scenario.Each(err) {
		if said, about := strings.CutPrefix(one.Error(), path+": "); about {
			_, right, _ := strings.Cut(said, ": must be ")
			return right
		}
	}
	return ""
}

var (
	numbers   = regexp.MustCompile(`^a (whole )?number, (more than )?([\d.]+)(?:(?:,? (?:up )?to )([\d.]+))?(,? .*)?$`)
	durations = regexp.MustCompile(`^a duration with a unit, like "20ms", of (more than )?"(\w+)",? (?:up )?to "(\w+)"(, .*)?$`)
	wordLists = regexp.MustCompile(`^a string in quotes, one of (?:[a-z.]+: )?(.*)$`)
)

// What is said to be right is the same for a value of another kind as for one that is too small or too large, and it is what
// holds: both ends are taken, and what is next to them isn't. So it is for every field that there is.
func TestEveryRangeIsTheOneThatHolds(t *testing.T) {
	s := everything(t)
	found := map[string]int{}
	for _, path := range leaves(t, s) {
		right := complaint(s, path, "{}")
		// refused and taken check values by the range that was told for {}.
		refused := func(said, value string) {
			t.Helper()
			if got := complaint(s, path, value); got != said {
				t.Errorf("%s: of {} it says %q, and of %s %q", path, right, value, got)
			}
		}
		taken := func(value string) {
			t.Helper()
			if got := complaint(s, path, value); got != "" {
				t.Errorf("%s: of {} it says %q, and refuses %s: must be %s", path, right, value, got)
			}
		}
		if m := numbers.FindStringSubmatch(right); m != nil && path != "seed" {
			found["numbers"]++
			whole, open := m[1] != "", m[2] != ""
			low, _ := strconv.ParseFloat(m[3], 64)
			high := low
			if m[4] != "" {
				high, _ = strconv.ParseFloat(m[4], 64)
			}
			below, above := math.Nextafter(low, math.Inf(-1)), math.Nextafter(high, math.Inf(1))
			said := strings.TrimPrefix(right, "a number, ")
			if whole {
				below, above = low-1, high+1
				said = strings.TrimPrefix(right, "a whole number, ")
			}
			plain := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
			refused(said, plain(above))
			if open {
				refused(said, plain(low))
				taken(plain(math.Nextafter(low, high)))
			} else {
				if whole && below < 0 {
					refused(right, plain(below)) // no whole number that can be there
				} else {
					refused(said, plain(below))
				}
				taken(plain(low))
			}
			taken(plain(high))
			refused(right, `"many"`)
			continue
		}
		if m := durations.FindStringSubmatch(right); m != nil {
			found["durations"]++
			low, _ := time.ParseDuration(m[2])
			high, _ := time.ParseDuration(m[3])
			said := strings.TrimPrefix(right, `a duration with a unit, like "20ms", of `)
			refused(said, (high + 1).String())
			taken(high.String())
			if m[1] != "" {
				refused(said, low.String())
				taken((low + 1).String())
			} else {
				refused(said, (low - 1).String())
				taken(low.String())
			}
			refused(right, "20")
			continue
		}
		if m := wordLists.FindStringSubmatch(right); m != nil {
			found["words"]++
			words := strings.Split(m[1], ", ")
			for _, word := range words {
				taken(strconv.Quote(word))
			}
			other := complaint(s, path, `"no-such-word"`)
			_, listed, _ := strings.Cut("a string in quotes, "+other, m[0][:len(m[0])-len(m[1])])
			if others := strings.Split(listed, ", "); !same(words, others) {
				t.Errorf("%s: of {} it says %q, and of another word %q", path, right, other)
			}
			continue
		}
		switch {
		case right == "true or false":
			found["switches"]++
		case path == "seed":
			refused(right, "-1")
			refused(right, "18446744073709551616")
			taken("18446744073709551615")
		case path == "id", path == "changes.0.path", path == "changes.0.value", strings.HasSuffix(path, ".edge") && right == "a string in quotes":
			// any name, anything, and a name that may be empty
		default:
			t.Errorf("%s: of {} it says %q, which is no range", path, right)
		}
	}
	if found["numbers"] < 60 || found["durations"] < 60 || found["words"] < 40 || found["switches"] < 20 {
		t.Errorf("there are but %v", found)
	}
}

func same(a, b []string) bool {
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// All that is wrong is told at once, each thing once, and none that only follows from another.
func TestAllThatIsWrongIsTold(t *testing.T) {
	mistakes := map[string]string{ // of a link, and what is said
		"policy.calls.b.attempts=many":                    `policy.calls.b.attempts: "many": must be a whole number, 1 to 100`,
		"policy.calls.b.timeout=5h":                       `policy.calls.b.timeout: "5h0m0s": must be "0s" to "4h0m0s"`,
		"policy.budget.percent=5000":                      `policy.budget.percent: 5000: must be 0 to 1000`,
		"sede.x=1":                                        `sede: no such field; must be one of seed`,
		"fault=b,slow*x,3s":                               `fault: "b,slow*x,3s": must be a number after the *, like slow*8`,
		"fault=c,stall,3s":                                `target: "c": must be one of dependencies: b`,
		"fault=b,flaky*2,3s":                              `p: 2: must be 0 to 1`,
		"soon@policy.budget.percent=1":                    `policy.budget.percent: "soon": must be a duration with a unit`,
		"7s@policy.calls.b.jitter=some":                   `policy.calls.b.jitter: "some": must be one of none, full, equal, decorrelated`,
		"dependencies.b.service={\"dist\":7}":             `dependencies.b.service.dist: 7: must be a string in quotes, one of table, constant, exponential, lognormal`,
		"8s@policy.breaker={\"probes\":0,\"per\":\"me\"}": `policy.breaker.p`,
	}
	var links []string
	for part := range mistakes {
		links = append(links, part)
	}
	sort.Strings(links)
	for i := range links {
		for j := range i {
			parts := []string{links[j], links[i]}
			_, err := scenario.ParseLink("#v1/two-service?" + strings.Join(parts, "&"))
			if err == nil {
				t.Fatalf("%q: no error", parts)
			}
			for _, part := range parts {
				if !strings.Contains(err.Error(), mistakes[part]) {
					t.Errorf("%q: nothing of %s in\n%s", parts, mistakes[part], err)
				}
			}
			want := 2
			if strings.Contains(strings.Join(parts, ""), "breaker") {
				want = 3 // it has two
			}
			if strings.Contains(err.Error(), fmt.Sprintf("(%d)", want+1)) || !strings.Contains(err.Error(), fmt.Sprintf("(%d)", want)) {
				t.Errorf("%q: want %d things in\n%s", parts, want, err)
			}
		}
	}
	_, err := scenario.ParseLink("#v1/two-service?" + strings.Join(links, "&"))
	if err == nil || !strings.Contains(err.Error(), "(8)") || strings.Contains(err.Error(), "(9)") || !strings.HasSuffix(err.Error(), "; and 4 more.") {
		t.Errorf("of twelve it tells\n%v", err)
	}

	_, err = scenario.Parse([]byte(`{"id": "two-service", "durations": "3s", "operations": {"call": {"rate": "x", "copies": 11}}, "dependencies": {"b": {"service": []}},
		"policy": {"calls": {"b": {"timeout": 20}}}, "faults": [{"target": "b", "kind": "slw"}], "changes": [{"at": "1s", "path": "seed", "value": 1}]}`))
	var said []string
	for _, one := range scenario.Each(err) {
		path, _, _ := strings.Cut(one.Error(), ": ")
		said = append(said, path)
	}
	if got, want := strings.Join(said, " "), "durations operations.call.rate dependencies.b.service policy.calls.b.timeout operations.call.copies faults.0.kind changes.0"; got != want {
		t.Errorf("told is\n%s, want\n%s", got, want)
	}
}

// However much is wrong, it is told in short, and soon.
func TestTooMuchIsWrong(t *testing.T) {
	var changes []string
	for i := range 10_000 {
		changes = append(changes, fmt.Sprintf(`{"at": "%ds", "path": "policy.calls.b.attempts", "value": 0}`, i))
	}
	for name, err := range map[string]error{
		"a link":  second(scenario.ParseLink("#v1/two-service?" + strings.Repeat("policy.calls.b.attempts=x&", 3500))),
		"a file":  second(scenario.Parse([]byte(`{"operations": {` + strings.TrimSuffix(strings.Repeat(`"é": {"rate": "x"}, `, 1), ", ") + `}, "faults": [` + strings.TrimSuffix(strings.Repeat(`{"at": 1},`, 100_000), ",") + `]}`))),
		"changes": second(scenario.Parse([]byte(`{"id": "two-service", "seed": "x", "changes": [` + strings.Join(changes, ",") + `]}`))),
	} {
		if err == nil || len(err.Error()) > 4000 || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %.5000v", name, err)
		}
	}
}

// What is wrong beyond what is looked for costs no more than to read it: a file can be wrong in hundreds of thousands of places.
func TestTooMuchIsWrongAtLittleCost(t *testing.T) {
	const n = 20_000
	var names strings.Builder
	for i := range n {
		fmt.Fprintf(&names, `, "k%d": 0`, i)
	}
	for what, text := range map[string]string{
		"at the top": `{"version": 1` + names.String() + `}`,
		"deeper":     `{"policy": {"budget": {"percent": 1` + names.String() + `}}}`,
	} {
		if _, err := scenario.Parse([]byte(text)); err == nil || !strings.HasSuffix(err.Error(), "and 92 more") {
			t.Errorf("%s: %.300v", what, err)
		}
		if cost := testing.AllocsPerRun(1, func() { scenario.Parse([]byte(text)) }); cost > 10*n {
			t.Errorf("%s: %d names cost %.0f allocations", what, n, cost)
		}
	}
}

func second[T any](_ T, err error) error { return err }
