package own

import "stormbin/engine/scenario"

// Shape is a system to begin with.
type Shape struct{ ID, Title string }

// Shapes is all of them, in the order to offer them in.
func Shapes() []Shape {
	return []Shape{
		{"service", "One service and its database"},
		{"tiers", "Three tiers: edge, service, database"},
		{"two-service", "Two services: A calls B"},
		{"pastebin", "The pastebin at its peak"},
		{"blank", "Nothing"},
	}
}

// ShapeText is the system of that id as JSON.
func ShapeText(id string) string {
	s, builtIn := scenario.Find(id)
	if !builtIn {
		var err error
		if s, err = scenario.Parse([]byte(written[id])); err != nil {
			panic("own: the shape " + id + ": " + err.Error())
		}
	}
	text, err := s.Short()
	if err != nil {
		panic("own: the shape " + id + ": " + err.Error())
	}
	return string(text)
}

// written are those that are in no catalogue. The stall is what everybody fears, so that there is a verdict on it at once.
var written = map[string]string{
	// 10 connections at 20 ms are 500 a second, twice the load; three attempts are what people write without a second thought.
	"service": `{
		"operations": {"request": {"rate": 250, "deadline": "1s", "steps": ["db"]}},
		"processes": {"count": 4},
		"dependencies": {"db": {"slots": 10, "service": {"dist": "exponential", "mean": "20ms"}}},
		"policy": {"calls": {"db": {"timeout": "300ms", "attempts": 3, "retry_on": ["timeout", "error", "refused"], "backoff": {"kind": "exponential", "base": "50ms"}, "jitter": "full"}}},
		"faults": [{"at": "5s", "for": "2s", "target": "db", "kind": "stall"}]
	}`,
	// Each tier tries twice, which is eight times in all.
	"tiers": `{
		"operations": {
			"view": {"rate": 1000, "deadline": "2s", "edge": "edge", "steps": ["cache", "db_read"], "client": {"attempts": 2}},
			"order": {"rate": 20, "deadline": "3s", "idempotent": false, "steps": ["db_write"]}
		},
		"processes": {"count": 6},
		"dependencies": {
			"edge": {"slots": 1000, "service": {"mean": "2ms"}, "hit_share": 0.6},
			"cache": {"slots": 64, "service": {"dist": "exponential", "mean": "1ms"}, "hit_share": 0.7},
			"db": {"slots": 20, "service": {"dist": "lognormal", "mean": "40ms"}, "statement_timeout": "500ms"}
		},
		"policy": {
			"balancer": {"attempts": 2},
			"calls": {
				"cache": {"timeout": "20ms", "optional": true},
				"db_read": {"on": "db", "timeout": "400ms", "attempts": 2, "retry_on": ["timeout", "error", "refused"]},
				"db_write": {"on": "db", "timeout": "1s"}
			}
		},
		"faults": [{"at": "5s", "for": "2s", "target": "db", "kind": "stall"}]
	}`,
	"blank": `{}`,
}
