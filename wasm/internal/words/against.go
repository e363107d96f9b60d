package words

import "stormbin/engine/scenario"

// Twice says what a link gives more than once, each as the value that holds; "" if there is nothing.
func Twice(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return "The link contradicts itself. Its last word holds: " + listed(parts)
}

// Bare says which faults of a link do nothing, as their number is left out, and what would be one that does.
func Bare(faults []scenario.Bare) string {
	if len(faults) == 0 {
		return ""
	}
	var given []string
	for _, f := range faults {
		given = append(given, f.Given)
	}
	return "A fault does nothing without its number: " + listed(given) + " One that does: " + foreign(faults[0].Usual) + "."
}

// TooLate says that a link names a time that no run comes to.
const TooLate = "No run goes on for longer than 4 h: it is opened at its end."

// NoA says why a link's second run is missing, the one with the rule of the scenario of that id; empty: the link names none.
func NoA(id string, known bool, err error) string {
	const missing = "There is no run A beside this one"
	switch {
	case id == "":
		return missing + ": to see two, a link must say whose rule the other has, as in against=two-service."
	case !known:
		return missing + ": no scenario is called " + foreign(id) + "."
	default:
		return missing + ", with the rule of " + foreign(id) + ": " + err.Error() + "."
	}
}
