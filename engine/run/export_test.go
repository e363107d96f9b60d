package run

// DoAtMost is Do with a limit of one's own in place of MaxEvents.
var DoAtMost = do
