package metrics

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stormbin/engine/scenario"
)

const sec = scenario.Duration(time.Second)

// alertsOf are the alerts of a series of the built-in with these faults.
func alertsOf(t *testing.T, id string, faults []scenario.Fault, rows ...Row) []Alert {
	t.Helper()
	s, ok := scenario.Find(id)
	if !ok {
		t.Fatalf("there is no built-in %q", id)
	}
	s.Faults = faults
	for i := range rows {
		rows[i].TS = i
	}
	return Alerts(&Report{Series: rows}, &s)
}

// at is a second of one dependency.
func at(name string, d RowDependency) Row {
	return Row{Dependencies: map[string]RowDependency{name: d}}
}

// told is what readers see of alerts.
func told(alerts []Alert) (said []string) {
	for _, a := range alerts {
		said = append(said, a.Sentence+"; "+a.Cause)
	}
	return said
}

func TestAlerts(t *testing.T) {
	stall := scenario.Fault{At: 1 * sec, For: 1 * sec, Target: "b", Kind: "stall"}
	well := RowDependency{Attempts: 100}
	for _, c := range []struct {
		name   string
		faults []scenario.Fault
		rows   []Row
		want   []string
	}{
		{"a good day", nil, []Row{at("b", well), at("b", well)}, nil},
		{"one lost of twenty is no page", nil, []Row{at("b", RowDependency{Attempts: 20, Timeouts: 1})}, nil},
		{"nor are four", nil, []Row{at("b", RowDependency{Attempts: 20, Timeouts: 4, Retries: 4})}, nil},
		{"five are", nil, []Row{at("b", RowDependency{Attempts: 20, Timeouts: 5})},
			[]string{"1.0 s: timeouts at B, 25 % of attempts; nothing is broken"}},
		{"one in a hundred is not over one in a hundred", nil, []Row{at("b", RowDependency{Attempts: 1000, Timeouts: 10, Retries: 10})}, nil},
		{"what times out was sent before the breaker opened", nil, []Row{at("b", RowDependency{Timeouts: 40})},
			[]string{"1.0 s: timeouts at B, 100 % of attempts; nothing is broken"}},
		{"a fault is on", []scenario.Fault{stall}, []Row{at("b", well), at("b", RowDependency{Attempts: 100, Timeouts: 34})},
			[]string{"2.0 s: timeouts at B, 34 % of attempts; B has stalled since 1 s"}},
		{"it is over, and the load is its own", []scenario.Fault{stall},
			[]Row{at("b", well), at("b", well), at("b", RowDependency{Attempts: 400, Retries: 300, Queue: 7})},
			[]string{"3.0 s: retries at B, 75 % of attempts; nothing is broken any more; 75 % of the attempts are retries"}},
		{"it is over, and what is left is a queue", []scenario.Fault{stall},
			[]Row{at("b", well), at("b", well), at("b", RowDependency{Attempts: 100, Timeouts: 100, Queue: 1240})},
			[]string{"3.0 s: timeouts at B, 100 % of attempts; nothing is broken any more; 1,240 attempts wait in the queue"}},
		{"a fault to come is no cause", []scenario.Fault{{At: 9 * sec, Target: "b", Kind: "down"}},
			[]Row{at("b", RowDependency{Attempts: 10, Timeouts: 10})},
			[]string{"1.0 s: timeouts at B, 100 % of attempts; nothing is broken"}},
		{"nor is one that changes nothing", []scenario.Fault{{Target: "b", Kind: "lose"}, {Target: "b", Kind: "slow", Factor: 1}},
			[]Row{at("b", RowDependency{Attempts: 10, Timeouts: 10})},
			[]string{"1.0 s: timeouts at B, 100 % of attempts; nothing is broken"}},
		{"all at once, in the order of what is worth a page", []scenario.Fault{{Target: "b", Kind: "down"}},
			[]Row{at("b", RowDependency{Attempts: 100, Timeouts: 50, Retries: 50, Open: 23})},
			[]string{
				"1.0 s: timeouts at B, 50 % of attempts; B has been down since 0 s",
				"1.0 s: retries at B, 50 % of attempts; B has been down since 0 s",
				"1.0 s: 23 breakers open before B; B has been down since 0 s",
			}},
		{"one breaker of many is enough", nil, []Row{at("b", RowDependency{Open: 1})},
			[]string{"1.0 s: 1 breaker open before B; nothing is broken"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, told(alertsOf(t, "two-service", c.faults, c.rows...))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Requests that fail page by the name of their operation, first those that nobody can safely send again for the user.
func TestFailuresPage(t *testing.T) {
	failing := RowOperation{Offered: 100, Ended: 100, EndedOK: 55}
	row := Row{
		Operations:   map[string]RowOperation{"create": failing, "read": failing, "delete": failing},
		Dependencies: map[string]RowDependency{"primary": {Attempts: 100, Queue: 3}, "cache": {Queue: 4}},
	}
	want := []Alert{
		{
			AtS: 1, Kind: "creates", Target: "create", Value: 0.45, Threshold: FailedShare,
			Cause:    "nothing is broken; 3 attempts wait in the queue",
			Sentence: "1.0 s: failures of create, 45 % of requests",
		},
		{
			AtS: 1, Kind: "failures", Target: "delete", Value: 0.45, Threshold: FailedShare,
			Cause:    "nothing is broken; 3 attempts wait in the queue",
			Sentence: "1.0 s: failures of delete, 45 % of requests",
		},
		{
			AtS: 1, Kind: "failures", Target: "read", Value: 0.45, Threshold: FailedShare,
			Cause:    "nothing is broken; 7 attempts wait in the queue",
			Sentence: "1.0 s: failures of read, 45 % of requests",
		},
	}
	if diff := cmp.Diff(want, alertsOf(t, "pastebin", nil, row)); diff != "" {
		t.Error(diff)
	}
}

// A rising retry rate pages before the load is worth mentioning: 20 requests a second, and each second one retry in two
// hundred more.
func TestRetriesPageBeforeLoad(t *testing.T) {
	var rows []Row
	for i := range int64(20) {
		rows = append(rows, at("b", RowDependency{Attempts: 2000 + 10*i, Retries: 10 * i}))
	}
	alerts := alertsOf(t, "two-service", nil, rows...)
	if len(alerts) != 1 || alerts[0].Kind != "retries" {
		t.Fatalf("want one page, for the retries: %v", told(alerts))
	}
	if load := rows[int(alerts[0].AtS)-1].Dependencies["b"].Attempts; load > 2000*102/100 {
		t.Errorf("it went out at %d attempts a second, want it at 2 %% above the usual 2,000", load)
	}
}

// An outage that wavers is one page; one that comes back after ten good seconds is another.
func TestOnePageAnOutage(t *testing.T) {
	for _, c := range []struct {
		seconds string // x is over
		want    []float64
	}{
		{"xxxxxxxxxxxxxxxxxxxxxxxxx", []float64{1}},
		{"x.x..x...x.........x.....", []float64{1}},
		{"x..........x", []float64{1, 12}},
		{"x.........x", []float64{1}},
		{"..x..........xx..........x", []float64{3, 14, 26}},
	} {
		var rows []Row
		for _, x := range c.seconds {
			d := RowDependency{Attempts: 100}
			if x == 'x' {
				d.Timeouts = 50
			}
			rows = append(rows, at("b", d))
		}
		var got []float64
		for _, a := range alertsOf(t, "two-service", nil, rows...) {
			got = append(got, a.AtS)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s pages at %v, want %v", c.seconds, got, c.want)
		}
	}
}

// Whatever happens: a second pages if it is over, and none of the ten before it was; and no alert says less.
func TestAlertsAreThoseOfTheirSeconds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := scenario.Find("two-service")
		count := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(0, 12), rapid.Int64Range(0, 2000))
		rows := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Row {
			attempts := count.Draw(t, "attempts")
			return at("b", RowDependency{
				Attempts: attempts, Retries: rapid.Int64Range(0, attempts).Draw(t, "retries"),
				Timeouts: count.Draw(t, "timeouts"), Open: rapid.Int64Range(0, 1).Draw(t, "open"),
			})
		}), 0, 40).Draw(t, "rows")
		over := map[string][]bool{}
		for i := range rows {
			rows[i].TS = i
			d := rows[i].Dependencies["b"]
			over["timeouts"] = append(over["timeouts"], d.Timeouts >= 5 && 100*d.Timeouts > d.Attempts)
			over["retries"] = append(over["retries"], d.Retries >= 5 && 100*d.Retries > d.Attempts)
			over["breaker"] = append(over["breaker"], d.Open > 0)
		}
		var want, got []string
		for i := range rows {
			for _, kind := range []string{"timeouts", "retries", "breaker"} {
				if over[kind][i] && !slices.Contains(over[kind][max(i-10, 0):i], true) {
					want = append(want, fmt.Sprint(i+1, kind))
				}
			}
		}
		for _, a := range Alerts(&Report{Series: rows}, &s) {
			got = append(got, fmt.Sprint(int(a.AtS), a.Kind))
			if a.Value <= a.Threshold || a.Value > 1 || a.Target != "b" || a.Cause == "" || !strings.Contains(a.Sentence, "B") {
				t.Fatalf("an alert to wonder at: %+v", a)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}
