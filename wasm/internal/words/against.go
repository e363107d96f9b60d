package words

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
