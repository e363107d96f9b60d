package run_test

import (
	"math"
	"runtime"
	"testing"

	"stormbin/engine/metrics"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// The engine against queueing theory: means over twenty seeds are within three standard errors of the formula, or 1 %.
//
// A service takes 100 ms on average wherever nothing else is said. The formulas are those of L. Kleinrock, Queueing
// Systems I, 1975: M/M/1 waits ρ/(μ−λ); M/M/c waits C/(cμ−λ) with A. K. Erlang's C; M/G/1 waits λE[S²]/2(1−ρ), which F. Pollaczek
// and A. Khinchine found; and a system holds rate × time in it, which is J. Little's law.

const service = 0.1

// seeds runs a scenario under twenty seeds. As WebAssembly it is not asked again: the golden runs say that those come to the
// same there.
func seeds(t *testing.T, s scenario.Scenario, each func(metrics.Report)) {
	t.Helper()
	if runtime.GOARCH == "wasm" {
		t.Skip("natively is enough")
	}
	if _, err := run.Seeds(s, 20, func(_ int, r metrics.Report) { each(r) }); err != nil {
		t.Fatal(err)
	}
}

func dist(kind, mean string) map[string]any { return map[string]any{"dist": kind, "mean": mean} }

func TestTheoryOfWaiting(t *testing.T) {
	// pk is the wait of one server, by the second moment of its service.
	pk := func(rate, second float64) float64 { return rate * second / 2 / (1 - rate*service) }
	for _, c := range []struct {
		name    string
		slots   int
		rate    float64
		service map[string]any
		wait    float64
	}{
		{"M/M/1 at 50 %", 1, 5, dist("exponential", "100ms"), 0.5 / (10 - 5)},
		{"M/M/1 at 80 %", 1, 8, dist("exponential", "100ms"), 0.8 / (10 - 8)},
		{"M/M/2 at 80 %", 2, 16, dist("exponential", "100ms"), erlangC(2, 1.6) / (20 - 16)},
		{"M/M/8 at 75 %", 8, 60, dist("exponential", "100ms"), erlangC(8, 6) / (80 - 60)},
		{"M/D/1 at 50 %", 1, 5, dist("constant", "100ms"), pk(5, service*service)},
		{"M/D/1 at 80 %", 1, 8, dist("constant", "100ms"), pk(8, service*service)},
		// A lognormal's second moment is e^σ² times the square of its mean.
		{"M/G/1 lognormal", 1, 5, map[string]any{"dist": "lognormal", "mean": "100ms", "sigma": 0.8}, pk(5, service*service*math.Exp(0.64))},
		{"M/G/1 base and exponential", 1, 6, map[string]any{"dist": "exponential", "mean": "50ms", "base": "50ms"}, pk(6, 0.1*0.1+0.05*0.05)},
		{"M/G/1 table", 1, 6, map[string]any{"dist": "table", "table": []string{"20ms", "20ms", "60ms", "300ms"}},
			pk(6, (2*0.02*0.02+0.06*0.06+0.3*0.3)/4)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var waits, inSystem, busy mean
			s := with(t, "queue", "duration", "10m", "operations.call.rate", c.rate, "dependencies.q.slots", c.slots, "dependencies.q.service", c.service)
			seeds(t, s, func(rep metrics.Report) {
				q := rep.Dependencies["q"]
				waits.add(q.WaitS.Mean)
				busy.add(q.Utilization)
				inSystem.add(q.InSystemMean)
			})
			waits.holds(t, "mean wait", c.wait)
			busy.holds(t, "busy share", c.rate*service/float64(c.slots))
			inSystem.holds(t, "mean number in system (Little's law)", c.rate*(c.wait+service))
		})
	}
}

// Little's law holds whatever the queue does: those who wait are the rate times the wait.
func TestTheoryLittle(t *testing.T) {
	for _, discipline := range []string{"fifo", "lifo"} {
		var ratio mean
		s := with(t, "queue", "duration", "5m", "operations.call.rate", 70, "dependencies.q.discipline", discipline)
		seeds(t, s, func(rep metrics.Report) {
			q := rep.Dependencies["q"]
			waiting := q.InSystemMean - 8*q.Utilization
			ratio.add(waiting / (float64(q.Completed) / rep.DurationS * q.WaitS.Mean))
		})
		ratio.holds(t, discipline+": those who wait ÷ (rate × wait)", 1)
	}
}

// Who comes last being served first doesn't change the mean wait, only who bears it.
func TestTheoryLIFO(t *testing.T) {
	var means, medians, tails [2]mean
	for i, discipline := range []string{"fifo", "lifo"} {
		s := with(t, "queue", "duration", "20m", "operations.call.rate", 7, "dependencies.q.slots", 1, "dependencies.q.discipline", discipline)
		seeds(t, s, func(rep metrics.Report) {
			w := rep.Dependencies["q"].WaitS
			means[i].add(w.Mean)
			medians[i].add(w.P50)
			tails[i].add(w.P99)
		})
		means[i].holds(t, discipline+": mean wait", 0.7/(10-7))
	}
	// In order, the wait is more than t with chance ρe^−(μ−λ)t, so that the slowest hundredth waits ln(100ρ)/(μ−λ).
	tails[0].holds(t, "fifo: the slowest hundredth waits", math.Log(70)/3)
	if l, f := medians[1].value(), medians[0].value(); l > 0.7*f {
		t.Errorf("half wait over %.3f s last in first out, and %.3f in order; want much less", l, f)
	}
	if l, f := tails[1].value(), tails[0].value(); l < 1.3*f {
		t.Errorf("the slowest hundredth waits %.3f s last in first out, and %.3f in order; want much more", l, f)
	}
}

// With no queue at all, a share of B(c, a) is lost, whatever the service looks like: Erlang's B, and that it is insensitive.
func TestTheoryOfLoss(t *testing.T) {
	for _, c := range []struct {
		name    string
		slots   int
		rate    float64
		service map[string]any
	}{
		{"M/M/1/1", 1, 10, dist("exponential", "100ms")},
		{"M/M/8/8", 8, 80, dist("exponential", "100ms")},
		{"M/M/20/20", 20, 150, dist("exponential", "100ms")},
		{"M/D/8/8", 8, 80, dist("constant", "100ms")},
		{"M/G/8/8 lognormal", 8, 80, map[string]any{"dist": "lognormal", "mean": "100ms", "sigma": 1.0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			load := c.rate * service
			var share, busy mean
			s := with(t, "queue", "duration", "5m", "operations.call.rate", c.rate, "processes.cap.call", c.slots,
				"dependencies.q.slots", c.slots, "dependencies.q.service", c.service)
			seeds(t, s, func(rep metrics.Report) {
				share.add(float64(rep.Requests.Shed) / float64(rep.Requests.Offered))
				busy.add(rep.Dependencies["q"].Utilization * float64(c.slots))
			})
			share.holds(t, "share lost at the cap", erlangB(c.slots, load))
			busy.holds(t, "slots busy", load*(1-erlangB(c.slots, load)))
		})
	}
	// One slot and room for k more to wait, M/M/1/K with K = k + 1, loses (1−ρ)ρ^K ÷ (1−ρ^(K+1)).
	t.Run("M/M/1/5", func(t *testing.T) {
		var share mean
		s := with(t, "queue", "duration", "10m", "operations.call.rate", 9, "dependencies.q.slots", 1, "dependencies.q.queue_limit", 4)
		seeds(t, s, func(rep metrics.Report) {
			share.add(float64(rep.Dependencies["q"].Refused) / float64(rep.Requests.Offered))
		})
		share.holds(t, "share refused", (1-0.9)*math.Pow(0.9, 5)/(1-math.Pow(0.9, 6)))
	})
}

// Tried up to n times, each try failing by its own luck with p: 1 + p + … + p^(n−1) tries, and 1 − pⁿ of the requests succeed.
func TestTheoryOfRetries(t *testing.T) {
	for _, c := range []struct {
		p        float64
		attempts int
	}{{0.2, 4}, {0.5, 4}, {0.5, 2}, {0.9, 10}} {
		var times, ok mean
		s := with(t, "two-service", "duration", "5m", "operations.call.rate", 50, "dependencies.b.slots", 100, "dependencies.b.service.mean", "1ms",
			"policy.calls.b.attempts", c.attempts, "faults", fault("b", "flaky", "0s", "0s", "p", c.p))
		seeds(t, s, func(rep metrics.Report) {
			times.add(rep.Dependencies["b"].Amplification)
			ok.add(float64(rep.Requests.OK) / float64(rep.Requests.Offered))
		})
		pn := math.Pow(c.p, float64(c.attempts))
		times.holds(t, "tries for a request", (1-pn)/(1-c.p))
		ok.holds(t, "share that succeeds", 1-pn)
	}
}

// Layers multiply: if n, m and k tries are one at each layer's place, and each try of the last fails by its own luck, one click
// is a run of up to n·m·k of them.
func TestTheoryOfLayers(t *testing.T) {
	const p = 0.7
	var times, ok mean
	s := with(t, "two-service", "duration", "2m", "operations.call.rate", 50, "dependencies.b.slots", 100, "dependencies.b.service.mean", "1ms",
		"operations.call.client.attempts", 3, "policy.balancer.attempts", 2, "policy.calls.b.attempts", 2,
		"faults", fault("b", "flaky", "0s", "0s", "p", p))
	seeds(t, s, func(rep metrics.Report) {
		times.add(rep.Dependencies["b"].Amplification)
		ok.add(float64(rep.Requests.OK) / float64(rep.Requests.Offered))
	})
	times.holds(t, "tries for a click", (1-math.Pow(p, 12))/(1-p))
	ok.holds(t, "share that succeeds", 1-math.Pow(p, 12))
}

// A budget's bound over every window of whole seconds, for what a process sends to a dependency: the share of its first
// attempts, the floor, and the ten that the bucket may hold.
func TestTheoryOfTokens(t *testing.T) {
	for _, c := range []struct{ percent, floor float64 }{{10, 0}, {20, 0}, {0, 3}, {5, 2}} {
		s := with(t, "two-service", "duration", "60s", "operations.call.rate", 100, "operations.call.shape", []any{
			map[string]any{"at": "10s", "factor": 0}, map[string]any{"at": "20s", "factor": 5}, map[string]any{"at": "25s", "factor": 0.1}, map[string]any{"at": "40s", "factor": 1}},
			"dependencies.b.slots", 1000, "dependencies.b.service.mean", "1ms",
			"policy.budget.percent", c.percent, "policy.budget.floor_per_second", c.floor, "policy.calls.b.attempts", 10,
			"faults", fault("b", "flaky", "0s", "0s", "p", 0.9))
		var first, more mean
		seeds(t, s, func(rep metrics.Report) {
			for from := range rep.Series {
				var firsts, retries float64
				for to := from; to < len(rep.Series); to++ {
					d := rep.Series[to].Dependencies["b"]
					firsts += float64(d.Attempts - d.Retries)
					retries += float64(d.Retries)
					if most := c.percent/100*firsts + c.floor*float64(to-from+1) + 10; retries > most+1e-9 {
						t.Fatalf("%v %% and %v/s: %v retries from second %d to the end of %d, of %v first attempts; want %v at the most", c.percent, c.floor, retries, from, to, firsts, most)
					}
				}
			}
			b := rep.Dependencies["b"]
			first.add(float64(b.FirstAttempts))
			more.add(float64(b.Retries))
		})
		// So much is asked for that all of it is used, wherever there is traffic to use it.
		if c.floor == 0 {
			more.holds(t, "retries", c.percent/100*first.value()+10)
		}
	}
}

// N users who wait for their answer, think for Z and ask again, before one exponential server: M/M/1//N (Kleinrock, 3.8).
// State k has the weight N!/(N−k)! (s/Z)^k, and that of 0 is the idle share. By the interactive response time law of P. Denning
// and J. Buzen (Computing Surveys 10, 1978) the response is N over the throughput, less Z.
func TestTheoryOfClosedUsers(t *testing.T) {
	for _, c := range []struct {
		users int
		surge float64 // they think so much faster than for a second
	}{{1, 1}, {5, 1}, {10, 1}, {30, 1}, {5, 2}} {
		var rate, busy, response mean
		z := 1 / c.surge
		s := with(t, "queue", "duration", "10m", "operations.call.arrivals", "closed", "operations.call.clients", c.users,
			"operations.call.think", "1s", "dependencies.q.slots", 1, "faults", fault("call", "surge", "0s", "0s", "factor", c.surge))
		seeds(t, s, func(rep metrics.Report) {
			x := float64(rep.Requests.OK) / rep.DurationS
			rate.add(x)
			busy.add(rep.Dependencies["q"].Utilization)
			response.add(rep.Dependencies["q"].WaitS.Mean + service)
		})
		weight, sum := 1.0, 1.0
		for k := 1; k <= c.users; k++ {
			weight *= float64(c.users-k+1) * service / z
			sum += weight
		}
		u := 1 - 1/sum
		busy.holds(t, "busy share", u)
		rate.holds(t, "throughput", u/service)
		response.holds(t, "response (N/X − Z)", float64(c.users)*service/u-z)
	}
}

// A load that goes up and down brings as many as lie under its curve.
func TestTheoryOfShapes(t *testing.T) {
	point := func(at string, factor float64, ramp bool) map[string]any {
		return map[string]any{"at": at, "factor": factor, "ramp": ramp}
	}
	for _, c := range []struct {
		name   string
		shape  []any
		repeat string
		faults []any
		under  float64 // of 60 s at factor 1
	}{
		{"none", []any{}, "0s", []any{}, 60},
		{"jumps", []any{point("10s", 3, false), point("20s", 0, false), point("30s", 0.5, false)}, "0s", []any{}, 10 + 30 + 0 + 15},
		{"ramp up and down", []any{point("20s", 2, true), point("40s", 0, true)}, "0s", []any{}, 30 + 20},
		{"a burst of 1 s in every 10 s", []any{point("0s", 0.5, false), point("9s", 5, false)}, "10s", []any{}, 6 * (4.5 + 5)},
		{"saw teeth", []any{point("0s", 0, false), point("9.999s", 2, true)}, "10s", []any{}, 60},
		{"a shape and a surge", []any{point("30s", 2, false)}, "0s", fault("call", "surge", "20s", "20s", "factor", 3), 20 + 30 + 60 + 40},
	} {
		for _, arrivals := range []string{"even", "poisson"} {
			const rate = 200
			var offered mean
			s := with(t, "queue", "duration", "60s", "operations.call.rate", rate, "operations.call.arrivals", arrivals,
				"operations.call.shape", c.shape, "operations.call.repeat", c.repeat, "faults", c.faults,
				"dependencies.q.slots", 1000, "dependencies.q.service.mean", "1ms")
			if arrivals == "even" {
				rep, err := run.Do(s)
				if err != nil {
					t.Fatal(err)
				}
				// To a request, and to one more for each time that the rate changes.
				near(t, c.name+", even", float64(rep.Requests.Offered), rate*c.under, 3)
				continue
			}
			seeds(t, s, func(rep metrics.Report) { offered.add(float64(rep.Requests.Offered)) })
			offered.holds(t, c.name+", poisson", rate*c.under)
		}
	}
}

// erlangB is the chance that an arrival finds all c slots busy, with an offered load of a of them and no queue.
func erlangB(c int, a float64) float64 {
	blocked := 1.0
	for n := 1; n <= c; n++ {
		blocked = a * blocked / (float64(n) + a*blocked)
	}
	return blocked
}

// erlangC is the chance that an arrival waits, with c slots and an offered load of a of them (a < c).
func erlangC(c int, a float64) float64 {
	blocked := erlangB(c, a)
	rho := a / float64(c)
	return blocked / (1 - rho + rho*blocked)
}

// mean collects one figure over seeds.
type mean struct{ n, sum, squares float64 }

func (m *mean) add(x float64) {
	m.n++
	m.sum += x
	m.squares += x * x
}

func (m *mean) value() float64 { return m.sum / m.n }

func (m *mean) holds(t *testing.T, what string, want float64) {
	t.Helper()
	got := m.value()
	standardError := math.Sqrt(max(m.squares/m.n-got*got, 0) / (m.n - 1))
	if off := math.Abs(got - want); math.IsNaN(got) || off > 3*standardError && off > 0.01*want {
		t.Errorf("%s is %.5g ± %.2g, theory says %.5g", what, got, standardError, want)
	}
}
