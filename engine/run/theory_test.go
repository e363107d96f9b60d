package run_test

import (
	"math"
	"testing"
)

// The open queue against queueing theory: means over twenty seeds are within three standard errors of the formula, or 1 %.
func TestTheOpenQueueObeysTheory(t *testing.T) {
	for _, c := range []struct {
		name  string
		slots int
		rate  float64 // at a mean service of 100 ms
		dist  string
		wait  float64 // the mean before service, in seconds
	}{
		// A. K. Erlang; as in L. Kleinrock, Queueing Systems I, 1975: M/M/1 waits ρ/(μ−λ), M/M/c waits C/(cμ−λ) with
		// Erlang's C, and M/D/1 waits half of what M/M/1 does (Pollaczek and Khinchine).
		{"M/M/1 at 50 %", 1, 5, "exponential", 0.5 / (10 - 5)},
		{"M/M/1 at 80 %", 1, 8, "exponential", 0.8 / (10 - 8)},
		{"M/M/8 at 75 %", 8, 60, "exponential", erlangC(8, 6) / (80 - 60)},
		{"M/D/1 at 80 %", 1, 8, "constant", 0.8 / (10 - 8) / 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			var waits, inSystem, busy mean
			for seed := range 20 {
				rep := do(t, "queue", "duration", "30m", "seed", seed+1, "operations.call.rate", c.rate,
					"dependencies.q.slots", c.slots, "dependencies.q.service", map[string]any{"dist": c.dist, "mean": "100ms"})
				q := rep.Dependencies["q"]
				waits.add(q.WaitS.Mean)
				inSystem.add(q.InSystemMean)
				busy.add(q.Utilization)
			}
			waits.holds(t, "mean wait", c.wait)
			busy.holds(t, "busy share", c.rate*0.1/float64(c.slots))
			inSystem.holds(t, "mean number in system (Little's law)", c.rate*(c.wait+0.1))
		})
	}
}

// erlangC is the chance that an arrival waits, with c slots and a offered load of a of them (a < c).
func erlangC(c int, a float64) float64 {
	blocked := 1.0 // Erlang's B, by its recursion
	for n := 1; n <= c; n++ {
		blocked = a * blocked / (float64(n) + a*blocked)
	}
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

func (m *mean) holds(t *testing.T, what string, want float64) {
	t.Helper()
	got := m.sum / m.n
	standardError := math.Sqrt((m.squares/m.n - got*got) / (m.n - 1))
	if off := math.Abs(got - want); off > 3*standardError && off > 0.01*want {
		t.Errorf("%s is %.5g ± %.2g, theory says %.5g", what, got, standardError, want)
	}
}
