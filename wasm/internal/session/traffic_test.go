package session

import (
	"slices"
	"testing"
	"time"

	"stormbin/engine/presets"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// arrivals is how many requests to each operation came in each second that is over.
func arrivals(r *run.Run) (all []map[string]int64) {
	for _, row := range r.Rows(0) {
		came := map[string]int64{}
		for name, o := range row.Operations {
			came[name] = o.Offered
		}
		all = append(all, came)
	}
	return all
}

// Whatever the rule of B, and whatever is done to both meanwhile, the very same requests come in.
func TestTheTrafficOfAAndBIsTheSameUnderEveryRule(t *testing.T) {
	for _, id := range []string{"two-service", "pastebin"} {
		for _, rule := range presets.Rules() {
			t.Run(id+" "+rule.Name, func(t *testing.T) {
				set, _ := scenario.Find(id)
				set.Faults = nil
				operation, sick, end := "call", "b", 12*time.Second
				if id == "pastebin" {
					operation, sick, end = "read", "primary", 5*time.Second
				}
				s, err := New(set)
				do(t, err)
				play(s, time.Second)
				do(t, s.Break(scenario.Fault{Target: sick, Kind: "slow", Factor: 10, For: scenario.Duration(time.Second)}))
				play(s, 2*time.Second)
				s.Pin()
				with, err := presets.WithRule(*s.Settings(), rule.Name)
				do(t, err)
				do(t, s.To(with))
				play(s, end*3/4)
				do(t, s.Set("operations."+operation+".rate", set.Operations[operation].Rate*1.1))
				do(t, s.Break(scenario.Fault{Target: operation, Kind: "surge", Factor: 1.2, For: scenario.Duration(500 * time.Millisecond)}))
				same := func(when string) {
					t.Helper()
					a, b := arrivals(s.Pinned()), arrivals(s.Run())
					if len(a) == 0 || !slices.EqualFunc(a, b, func(x, y map[string]int64) bool {
						return len(x) == len(y) && x[operation] == y[operation] && x["create"] == y["create"] && x["delete"] == y["delete"]
					}) {
						t.Errorf("%s: arrivals\nA %v\nB %v", when, a, b)
					}
				}
				for at := s.Now().Truncate(time.Second); at <= end; at += time.Second {
					play(s, at)
					same(at.String())
				}
				do(t, s.Seek(3*time.Second))
				play(s, 4*time.Second)
				same("after going back")
			})
		}
	}
}
