//go:build js && wasm

// Seeds runs scenarios under many seeds, in a worker. The page does so with its own run at the same time.
//
// It posts {ready: true} when it can begin. One message to it is all the work: {scenarios, runs}, where scenarios are texts
// as package scenario reads them. It posts {rule, run, verdict, bad, never, recovery, outlasted, failed, amplification, worst,
// share} for each run as soon as it is over: rule says which scenario, run how many seeds after its own; recovery and outlasted
// are in seconds, null if there is none; share is of the requests that failed, in its worst second; amplification is an
// object by dependency, and so is worst, {extra, attempts} of its second with the most retries and hedges. The scenarios
// take turns, so that what is there so far can be compared. Last comes {done: true}, or in place of all {error}, which is
// words. When it is done more work may be given to it; whoever has seen enough ends it.
package main

import (
	"runtime/debug"
	"slices"
	"syscall/js"
	"time"

	"stormbin/engine/run"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/own"
)

func main() {
	debug.SetGCPercent(400) // it holds little but one run
	debug.SetMemoryLimit(512 << 20)
	self := js.Global()
	self.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		post(all(args[0].Get("data")))
		return nil
	}))
	post(map[string]any{"ready": true})
	select {}
}

func post(message map[string]any) { js.Global().Call("postMessage", message) }

// all does all the work, and is the last message.
func all(work js.Value) map[string]any {
	texts := work.Get("scenarios")
	rules := make([]scenario.Scenario, texts.Length())
	for i := range rules {
		var err error
		if rules[i], err = scenario.Parse([]byte(texts.Index(i).String())); err != nil {
			return map[string]any{"error": err.Error()}
		}
	}
	for n := range work.Get("runs").Int() {
		for i, s := range rules {
			s.Seed += uint64(n)
			report, err := run.Do(s)
			if err != nil {
				return map[string]any{"error": err.Error()}
			}
			amplification, worst := map[string]any{}, map[string]any{}
			for name, d := range report.Dependencies {
				amplification[name] = d.Amplification
			}
			for name, l := range own.Worst(report.Series) {
				worst[name] = map[string]any{"extra": l.Extra, "attempts": l.Attempts}
			}
			answer := map[string]any{
				"rule": i, "run": n, "verdict": report.Verdict, "bad": report.BadSeconds, "recovery": nil, "outlasted": nil, "never": false,
				"failed":        float64(report.Requests.Offered-report.Requests.OK) / float64(max(report.Requests.Offered, 1)),
				"amplification": amplification,
				"worst":         worst,
				"share":         own.WorstShare(report.Series),
			}
			if report.RecoveryS != nil {
				answer["recovery"], answer["outlasted"] = *report.RecoveryS, *report.OutlastedS
			} else {
				answer["never"] = mended(&s)
			}
			post(answer)
		}
	}
	return map[string]any{"done": true}
}

// mended tells whether something was broken that ends within the run.
func mended(s *scenario.Scenario) bool {
	return slices.ContainsFunc(s.Faults, func(f scenario.Fault) bool { return f.End() <= time.Duration(s.Duration) })
}
