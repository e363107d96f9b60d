package scenario

import "time"

// Duration is a length of virtual time, 0s to 4 h. In JSON it is a string with a unit, as Go writes them: "20ms", "1.5s".
// The zero value is 0s, which most fields take for "none".
type Duration time.Duration

func (d Duration) String() string { return time.Duration(d).String() }
