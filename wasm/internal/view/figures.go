package view

// RequestRows names the rows of the table of requests; each has the last second and all since the start.
var RequestRows = []string{"offered", "answered in time", "failed", "of them turned away", "of them too late", "under way"}

// RequestCells is that table's cells.
func (n *Numbers) RequestCells() [6][2]string {
	t := &n.Totals
	return [6][2]string{
		{PerSecond(n.Offered), Count(t.Offered)},
		{PerSecond(n.OK), Count(t.OK)},
		{PerSecond(n.Failed), Count(t.Failed + t.Shed + t.Late)},
		{"", Count(t.Shed)},
		{"", Count(t.Late)},
		{"", Count(t.InFlight)},
	}
}

// PlaceRows names the rows of the table of dependencies.
var PlaceRows = []string{
	"attempts, a second", "of them retries", "amplification", "timed out, a second", "refused, a second", "finished, a second",
	"of them for nobody", "dropped in all", "waiting now", "most that ever waited", "slots busy now", "attempts in all", "retries in all",
}

// Cells is one dependency's column of that table.
func (p *PlaceNumbers) Cells() [13]string {
	return [13]string{
		PerSecond(p.Attempts()), PerSecond(p.Retries), p.Multiple(), PerSecond(p.Timeouts), PerSecond(p.Refused), PerSecond(p.Done),
		PerSecond(p.ForNobody), Count(p.Totals.Killed), Count(int64(p.Queue)), Count(p.Totals.MaxQueue),
		Count(int64(p.Busy)) + " of " + Count(int64(p.Slots)), Count(p.Totals.First + p.Totals.Retries + p.Totals.Hedges), Count(p.Totals.Retries),
	}
}
