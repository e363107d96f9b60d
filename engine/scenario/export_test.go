package scenario

// Offer has the catalogue offer s, too, as a function makes it, until withdraw.
func Offer(s Scenario) (withdraw func()) {
	was := families[0].all
	families[0].all = append(was[:len(was):len(was)], built{id: s.ID, by: s.Clone})
	return func() { families[0].all = was }
}
