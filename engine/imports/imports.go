// Package imports reads what people have, the retry settings of proxies, meshes, client libraries and SDKs, and turns it
// into the policy of a call.
//
// imports.go is what is found and how it is put on a call; tree.go and values.go read a document, whatever it was written
// in; reading.go keeps account of it, so that nothing written is dropped without a word; the other files hold the
// formats, one each.
//
// # What is said
//
// A format says more than a scenario can, and less. What is written and has a place here is a [Setting], with a note if it
// means something else here; what isn't written has its maker's default, which is a Setting too, with the place where it
// was read. What has no place here is [Left], with why. Each value of a policy that was found is in one of the two.
package imports

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"stormbin/engine/scenario"
)

// Found is one policy that stands in a document. Its slices are the caller's own.
type Found struct {
	Kind string // what it was taken for, as "gRPC method"; one of Kinds
	Name string // its own name there: the route, the method, the instance. Empty: it has none
	Path string // where it stands in the document, keys and indexes with a dot between. Empty: it is the whole
	Set  []Setting
	Left []Left
}

// Setting is one that a scenario has a place for.
type Setting struct {
	From string // the path in the document of what was written; empty if nothing was, and its maker's default holds
	// To is a path below call, the line of policy.calls, or below policy; or it is one of these: cap, the processes' for each
	// operation that makes the call; queue, each process's share of the queue_limit of the dependency that the call goes to;
	// calls, how many calls the breaker's window has, which here is the time in which a process makes so many; fault, one more
	// of that dependency.
	To    string
	Value any // in plain Go, as [scenario.Set] takes it: "20ms", 4, []string{"error"}
	// Note is what it means there and here, if that isn't the same, and of a default whose it is. It may be empty.
	Note   string
	Source string // where a default or a meaning was read. Empty: nothing but what is written was needed
}

// Left is something written that no scenario can say.
type Left struct {
	Path string // its path in the document; what is below it is left, too
	Why  string // in one line
}

// Kinds is what can be found, as Found.Kind has it.
func Kinds() []string {
	kinds := make([]string, len(formats))
	for i, f := range formats {
		kinds[i] = f.kind
	}
	return kinds
}

// format is one way of writing policies down.
type format struct {
	kind string
	// is tells by its shape whether an object is written so.
	is func(*node) bool
	// read says what each policy in such an object comes to.
	read func(*node, *document)
}

// formats are asked in this order which of them an object is written in.
var formats = []format{
	{istioRoute, isIstioRoute, readIstioRoute},
	{istioRule, isIstioRule, readIstioRule},
	{grpcMethod, isGRPC, readGRPC},
	{envoyRoute, isEnvoyRoute, readEnvoyRoute},
	{envoyCluster, isEnvoyCluster, readEnvoyCluster},
	{resilience4j, isResilience4j, readResilience4j},
	{awsSDK, isAWS, readAWS},
}

// ErrNothing is what the error for a document wraps in which no policy was found.
var ErrNothing = errors.New("nothing that is known here")

// Read finds the policies in a document that was decoded from JSON or YAML: maps by string, lists, strings, bools, nil and
// numbers of any Go type. They may be anywhere in it, and are in the order in which they stand there, names sorted.
//
// The error is one line: it names the path, the value, and what would be right. It is of the first thing wrong, since
// whoever made the format would refuse the document too. It wraps [ErrNothing] if there is no policy at all. A document of
// more than 200,000 values or 1,000 policies, or with more than 64 objects and lists in each other, is refused.
func Read(tree any) ([]Found, error) {
	top, err := nodeOf(tree)
	if err != nil {
		return nil, err
	}
	d := newDocument(top)
	d.search(top)
	if d.err != nil {
		return nil, d.err
	}
	if len(d.found) == 0 {
		return nil, fmt.Errorf("%w: must have one of these in it: %s", ErrNothing, strings.Join(Kinds(), ", "))
	}
	return d.found, nil
}

// On is what the setting changes in s when it is put on a call of it, path by path, as [scenario.Set] takes them. Empty if
// there is no such call, or nothing there to change.
func (t Setting) On(s scenario.Scenario, call string) []scenario.Change {
	line, found := s.Policy.Calls[call]
	if !found {
		return nil
	}
	dependency := line.Target(call)
	place, rest, _ := strings.Cut(t.To, ".")
	switch place {
	case "call":
		return []scenario.Change{{Path: "policy.calls." + call + "." + rest, Value: t.Value}}
	case "queue":
		limit := min(t.Value.(int)*max(s.Processes.Count, 1), mostCounted)
		return []scenario.Change{{Path: "dependencies." + dependency + ".queue_limit", Value: limit}}
	case "cap":
		var changes []scenario.Change
		for _, name := range slices.Sorted(maps.Keys(s.Operations)) {
			if slices.Contains(s.Operations[name].Steps, call) {
				changes = append(changes, scenario.Change{Path: "processes.cap." + name, Value: t.Value})
			}
		}
		return changes
	case "calls":
		return []scenario.Change{{Path: "policy.breaker.window", Value: span(s, call, t.Value.(int)).String()}}
	case "fault":
		return []scenario.Change{{Path: "faults", Value: withFault(s.Faults, t.Value.(map[string]any), dependency)}}
	}
	if t.To == "policy.breaker.enabled" { // it is before this dependency alone
		return []scenario.Change{{Path: t.To, Value: t.Value}, {Path: "policy.breaker.targets", Value: []string{dependency}}}
	}
	return []scenario.Change{{Path: t.To, Value: t.Value}}
}

// withFault is all those faults and one more, of that dependency, in plain Go.
func withFault(faults []scenario.Fault, one map[string]any, dependency string) (all []any) {
	for _, f := range faults {
		all = append(all, map[string]any{"at": f.At.String(), "for": f.For.String(), "target": f.Target, "kind": f.Kind, "factor": f.Factor, "p": f.P})
	}
	one = maps.Clone(one)
	one["target"] = dependency
	return append(all, one)
}

// span is the time in which a process makes so many calls, at the load that s has by itself.
func span(s scenario.Scenario, call string, calls int) scenario.Duration {
	rate := 0.0
	for _, o := range s.Operations {
		each := o.Rate
		if o.Arrivals == "closed" {
			each = float64(o.Clients) / time.Duration(o.Think).Seconds()
		}
		for _, step := range o.Steps {
			if step == call {
				rate += each
			}
		}
	}
	seconds := float64(calls) * float64(s.Processes.Count) / rate // infinite without a load
	return min(max(scenario.Duration(min(seconds*1e3, 1e12))*ms, ms), longest)
}

// Apply is s with all the settings put on a call of it. If there is an error, it is s.
func (f Found) Apply(s scenario.Scenario, call string) (scenario.Scenario, error) {
	if _, found := s.Policy.Calls[call]; !found {
		right := "a call of the scenario, which has none"
		if names := slices.Sorted(maps.Keys(s.Policy.Calls)); len(names) > 0 {
			right = "one of " + scenario.Nearest(call, names)
		}
		return s, fmt.Errorf("policy.calls: %q: must be %s", call, right)
	}
	changed := s.Clone()
	for _, setting := range f.Set {
		for _, change := range setting.On(changed, call) {
			if err := scenario.Set(&changed, change.Path, change.Value); err != nil {
				return s, err
			}
		}
	}
	if err := changed.Validate(); err != nil {
		return s, err
	}
	return changed, nil
}
