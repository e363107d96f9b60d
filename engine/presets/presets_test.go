package presets_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/presets"
	"stormbin/engine/scenario"
)

func TestPresetsAreTold(t *testing.T) {
	ids, names := map[string]bool{}, map[string]bool{}
	for _, p := range presets.List() {
		if ids[p.ID] || names[p.Name] {
			t.Errorf("%s (%s) is there twice", p.ID, p.Name)
		}
		ids[p.ID], names[p.Name] = true, true
		if p.ID == "" || strings.Trim(p.ID, "abcdefghijklmnopqrstuvwxyz0123456789_-") != "" {
			t.Errorf("%q is no id: must be of a-z, 0-9, _ and -", p.ID)
		}
		if p.Name == "" || p.Version == "" {
			t.Errorf("%s: name %q, version %q: must both be said", p.ID, p.Name, p.Version)
		}
		for _, sentence := range append(presets.Tell(p.ID).Unsaid, p.What) {
			if !strings.HasSuffix(sentence, ".") {
				t.Errorf("%s: %q is no sentence", p.ID, sentence)
			}
		}
		if strings.Contains(p.What, ". ") {
			t.Errorf("%s: %q: must be one sentence", p.ID, p.What)
		}
		if found, ok := presets.Find(p.ID); !ok || !cmp.Equal(p, found) {
			t.Errorf("Find(%q) = %v, %v: must be the one of the list", p.ID, found.ID, ok)
		}
	}
	if _, ok := presets.Find("hand-made"); ok {
		t.Error("found a preset that nobody made")
	}
}

// layerFigures are the names of the figures that a layer has.
func layerFigures(before string, l scenario.Layer) (names []string) {
	add := func(name string, has bool) {
		if has {
			names = append(names, before+name)
		}
	}
	add("attempts", before == "" || l.Attempts > 1)
	add("timeout", l.Timeout > 0)
	add("retry_on", l.Attempts > 1)
	add("backoff.base", l.Backoff.Base > 0)
	add("backoff.max", l.Backoff.Max > 0)
	add("jitter", l.Jitter != "none" && l.Jitter != "")
	return names
}

// figures are the names of all the figures that p has.
func figures(p presets.Preset) []string {
	names := append(layerFigures("", p.Layer), layerFigures("dial.", p.Dial)...)
	if p.Within > 0 {
		names = append(names, "within")
	}
	for name, has := range map[string]bool{
		"budget.percent":          p.Budget.Percent > 0,
		"budget.floor_per_second": p.Budget.FloorPerSecond > 0,
		"budget.max_tokens":       p.Budget.MaxTokens > 0,
		"budget.token_ratio":      p.Budget.TokenRatio > 0,
		"budget.min_concurrent":   p.Budget.MinConcurrent > 0,
	} {
		if has {
			names = append(names, name)
		}
	}
	return names
}

func TestEveryFigureHasASource(t *testing.T) {
	// What may have a source although it is no figure: that there is none, and which version has them.
	also := []string{"timeout", "backoff.kind", "version"}
	for _, p := range presets.List() {
		var sourced []string
		for _, s := range presets.Tell(p.ID).Sources {
			sourced = append(sourced, s.What)
			if s.Figure == "" || !strings.Contains(s.Source, "/") {
				t.Errorf("%s: %s: figure %q, source %q: must be what it says, and where", p.ID, s.What, s.Figure, s.Source)
			}
			if !slices.Contains(figures(p), s.What) && !slices.Contains(also, s.What) {
				t.Errorf("%s: a source for %q, which the preset does not have", p.ID, s.What)
			}
		}
		for _, name := range figures(p) {
			if !slices.Contains(sourced, name) {
				t.Errorf("%s: no source for %s", p.ID, name)
			}
		}
		if slices.Sort(sourced); len(slices.Compact(slices.Clone(sourced))) != len(sourced) {
			t.Errorf("%s: a figure has two sources: %v", p.ID, sourced)
		}
	}
}

// What a budget bounds is the call's own retries, and what stands in Within's place is its library.
func TestWithinHasNeitherDialNorBudget(t *testing.T) {
	for _, p := range presets.List() {
		if p.Within > 0 && (p.Dial.Present() || p.Budget.Kind != "") {
			t.Errorf("%s has Within and more: there is one layer beneath a call", p.ID)
		}
	}
}

func twoService(t *testing.T) scenario.Scenario {
	t.Helper()
	s, ok := scenario.Find("two-service")
	if !ok {
		t.Fatal("no two-service")
	}
	return s
}

func find(t *testing.T, id string) presets.Preset {
	t.Helper()
	p, ok := presets.Find(id)
	if !ok {
		t.Fatalf("no preset %s", id)
	}
	return p
}

func apply(t *testing.T, s *scenario.Scenario, p presets.Preset) {
	t.Helper()
	if err := p.Apply(s, "b"); err != nil {
		t.Fatalf("%s: %v", p.ID, err)
	}
}

func TestApplyPutsItOnTheCall(t *testing.T) {
	for _, p := range presets.List() {
		s := twoService(t)
		before := s.Clone()
		apply(t, &s, p)
		if err := s.Validate(); err != nil {
			t.Errorf("%s: %v", p.ID, err)
		}

		want := before.Policy.Calls["b"]
		own, library := p.Layer, p.Dial
		if p.Within > 0 {
			own = scenario.Layer{Attempts: 1, Timeout: p.Within, Backoff: scenario.Backoff{Kind: "none"}, Jitter: "none"}
			library = p.Layer
		}
		if library.Attempts == 0 {
			library = scenario.Layer{Attempts: 1, Backoff: scenario.Backoff{Kind: "none"}, Jitter: "none"}
		}
		want.Attempts, want.Timeout, want.RetryOn, want.Backoff, want.Jitter = own.Attempts, own.Timeout, own.RetryOn, own.Backoff, own.Jitter
		want.Library = library
		if diff := cmp.Diff(want, s.Policy.Calls["b"]); diff != "" {
			t.Errorf("%s: the call is not what the preset says (-want +got):\n%s", p.ID, diff)
		}

		s.Policy.Calls, s.Policy.Budget = before.Policy.Calls, before.Policy.Budget
		if diff := cmp.Diff(before, s); diff != "" {
			t.Errorf("%s: it changed more than the call and the budget:\n%s", p.ID, diff)
		}
	}
}

func TestApplySetsItsOwnKindOfBudget(t *testing.T) {
	for _, c := range []struct {
		id   string
		want func(*scenario.Budget)
	}{
		{"requests", func(*scenario.Budget) {}},
		{"finagle", func(b *scenario.Budget) { b.Kind, b.Percent, b.FloorPerSecond = "ratio", 20, 10 }},
		{"grpc-retry", func(b *scenario.Budget) { b.Kind, b.MaxTokens, b.TokenRatio = "tokens", 10, 0.1 }},
		{"envoy", func(b *scenario.Budget) { b.Kind, b.Percent, b.MinConcurrent = "in_flight", 0, 3 }},
		{"envoy-budget", func(b *scenario.Budget) { b.Kind, b.Percent, b.MinConcurrent = "in_flight", 20, 3 }},
	} {
		s := twoService(t)
		s.Policy.Budget = scenario.Budget{Kind: "ratio", Percent: 5, FloorPerSecond: 7, MaxTokens: 70, TokenRatio: 0.5, MinConcurrent: 9}
		want := s.Policy.Budget
		c.want(&want)
		apply(t, &s, find(t, c.id))
		if diff := cmp.Diff(want, s.Policy.Budget); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.id, diff)
		}
	}
}

// Nothing of the preset before is left on the call.
func TestApplyReplacesThePresetBefore(t *testing.T) {
	for _, id := range []string{"go-redis", "kafka-producer"} {
		s, fresh := twoService(t), twoService(t)
		apply(t, &s, find(t, id))
		apply(t, &s, find(t, "resilience4j"))
		apply(t, &fresh, find(t, "resilience4j"))
		if diff := cmp.Diff(fresh, s); diff != "" {
			t.Errorf("resilience4j after %s (-want +got):\n%s", id, diff)
		}
	}
}

func TestApplyRefuses(t *testing.T) {
	hedged := twoService(t)
	call := hedged.Policy.Calls["b"]
	call.HedgeAfter = 1
	hedged.Policy.Calls["b"] = call

	empty := twoService(t)
	empty.Policy.Calls = nil

	for _, c := range []struct {
		s             scenario.Scenario
		id, call, err string
	}{
		{twoService(t), "go-redis", "B", `policy.calls: "B": must be one of b`},
		{empty, "go-redis", "b", `policy.calls: "b": must be a call of the scenario, which has none`},
		{hedged, "temporal", "b", `policy.calls.b.attempts: 100: must be 1 to 50, as hedge_after sends each twice`},
	} {
		before := c.s.Clone()
		err := find(t, c.id).Apply(&c.s, c.call)
		if err == nil || err.Error() != c.err {
			t.Errorf("%s on %q: error %v, want %s", c.id, c.call, err, c.err)
		}
		if diff := cmp.Diff(before, c.s); diff != "" {
			t.Errorf("%s on %q: refused, and yet changed:\n%s", c.id, c.call, diff)
		}
	}
}

// Whoever has a preset, or has put it on a scenario, may write on it.
func TestPresetsAreTheCallersOwn(t *testing.T) {
	p := find(t, "go-redis")
	s := twoService(t)
	apply(t, &s, p)
	p.Layer.RetryOn[0], p.Dial.RetryOn[0], presets.Tell("go-redis").Sources[0].What = "x", "x", "x"
	if err := s.Validate(); err != nil {
		t.Errorf("the scenario shares the preset's list: %v", err)
	}
	again := find(t, "go-redis")
	if again.Layer.RetryOn[0] == "x" || again.Dial.RetryOn[0] == "x" || presets.Tell("go-redis").Sources[0].What == "x" {
		t.Error("the next one who finds it has what was written on it")
	}
}

// The scenario that shows what go-redis does has the preset's figures, with the command's own retries off.
func TestHiddenRetriesAreGoRedis(t *testing.T) {
	p, ok := presets.Find("go-redis")
	s, found := scenario.Find("hidden-retries")
	if !ok || !found {
		t.Fatal("there is no preset go-redis, or no scenario hidden-retries")
	}
	want := s.Policy.Calls["cache_get"]
	if err := p.Apply(&s, "cache_get"); err != nil {
		t.Fatal(err)
	}
	got := s.Policy.Calls["cache_get"]
	if got.Attempts != 4 {
		t.Errorf("the preset sends %d times, want 4", got.Attempts)
	}
	got.Attempts = want.Attempts
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the scenario is another (- the scenario, + the preset):\n%s", diff)
	}
}

// Whose retries are met most often is there.
func TestWhatPeopleMeetIsThere(t *testing.T) {
	for _, id := range []string{"go-redis", "ioredis", "redis-py", "net-http", "database-sql", "aws-sdk-go-v2", "grpc", "envoy", "nginx", "kafka-producer", "resilience4j", "polly"} {
		if p, found := presets.Find(id); !found || p.Name == "" {
			t.Errorf("there is no %s", id)
		}
	}
}
