package words

import (
	"strings"
	"testing"

	"stormbin/engine/scenario"
)

// What a link says in vain is told with what would do something, and nothing is told of one whose faults have their numbers.
func TestFaultsThatDoNothingAreTold(t *testing.T) {
	for query, want := range map[string][]string{
		"fault=b,slow*8,3s&fault=b,down,9s":              nil,
		"fault=b,slow,3s":                                {"does nothing", "fault=b,slow,3s", "fault=b,slow*10,3s"},
		"fault=b,down&fault=b,flaky&fault=call,surge,1s": {"fault=b,flaky", "fault=call,surge,1s", "fault=b,flaky*0.2"},
	} {
		l, err := scenario.ParseLink("#v1/two-service?" + query)
		if err != nil {
			t.Fatal(err)
		}
		got := Bare(l.Bare)
		if (got == "") != (want == nil) {
			t.Errorf("%s: %q is said", query, got)
		}
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("%s: %q is said, want something of %q", query, got, part)
			}
		}
	}
}
