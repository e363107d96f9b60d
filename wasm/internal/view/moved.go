package view

import (
	"strconv"
	"strings"
	"time"

	"stormbin/engine/scenario"
)

// movedMost is how many settings are named that have become others, before the rest is only counted.
const movedMost = 3

// Moved says what has become of the settings: "attempts of b 4 → 1; retry budget 0 % → 10 %". A rule that has a name and
// holds now is said by that, if it is more than a few. Empty: nothing has.
func Moved(from, to *scenario.Scenario) string {
	var said []string
	is := scenario.Diff(*from, *to)
	was := map[string]any{}
	for _, c := range scenario.Diff(*to, *from) {
		was[c.Path] = c.Value
	}
	if name := Holds(to); name != "" && len(is) > movedMost {
		return "“" + name + "” holds again, " + strconv.Itoa(len(is)) + " settings in all"
	}
	for i, c := range is {
		if i == movedMost {
			said = append(said, "and "+strconv.Itoa(len(is)-i)+" more")
			break
		}
		said = append(said, settingName(c.Path)+" "+settingValue(was[c.Path])+" → "+settingValue(c.Value))
	}
	return strings.Join(said, "; ")
}

// settingName is a path in words: "attempts of b", "retry budget percent", "slots of B".
func settingName(path string) string {
	keys := strings.Split(path, ".")
	of := func(keys []string, name string) string { return plainWords(keys) + " of " + name }
	switch {
	case len(keys) > 3 && keys[1] == "calls":
		return of(keys[3:], keys[2])
	case len(keys) > 2 && keys[0] == "dependencies":
		return of(keys[2:], Title(keys[1]))
	case len(keys) > 2 && keys[0] == "operations":
		return of(keys[2:], keys[1])
	case len(keys) > 2 && keys[1] == "cap":
		return "cap of " + keys[2]
	case len(keys) > 1:
		keys = keys[1:] // policy is all of it
	}
	return plainWords(keys)
}

func plainWords(keys []string) string {
	words := strings.ReplaceAll(strings.Join(keys, " "), "_", " ")
	return strings.ReplaceAll(words, "retry on", "what is retried")
}

// settingValue is a value as it stands in its field.
func settingValue(value any) string {
	switch text := typedOut(value); text {
	case "", "0s":
		return "none"
	default:
		return text
	}
}

// Replanned says what has become of what is planned, in sentences: "B 8× slower is planned at 12.0 s again." Empty: nothing has.
func Replanned(planned, dropped, past []scenario.Fault) string {
	var said []string
	add := func(all []scenario.Fault, words string) {
		for i := range all {
			f := &all[i]
			said = append(said, Title(f.Target)+" "+faultWords(f)+words+Clock(time.Duration(f.At)))
		}
	}
	add(planned, " is planned again at ")
	add(dropped, " is no longer planned at ")
	add(past, " can’t be planned again: it is past ")
	return strings.Join(said, "; ")
}
