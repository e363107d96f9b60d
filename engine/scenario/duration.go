package scenario

import "time"

// Duration is a length of virtual time. In JSON it is a string with a unit, as Go writes them: "20ms", "1.5s".
type Duration time.Duration
