package speak

import (
	"testing"
	"time"
)

func TestVoice(t *testing.T) {
	type say struct {
		text string
		own  bool
	}
	for _, test := range []struct {
		name string
		say  []say
		at   time.Duration // after a first caption at 10 s
		want string
	}{
		{"nothing to say", nil, 20 * time.Second, ""},
		{"too soon", []say{{"a", false}}, 10*time.Second + Pause - 1, ""},
		{"a second later", []say{{"a", false}}, 10*time.Second + Pause, "a"},
		{"the newest", []say{{"a", false}, {"b", false}}, 12 * time.Second, "b"},
		{"the reader's own first", []say{{"mine", true}, {"b", false}}, 12 * time.Second, "mine"},
		{"the newest of the reader's own", []say{{"mine", true}, {"also mine", true}}, 12 * time.Second, "also mine"},
		{"nothing is no caption", []say{{"a", false}, {"", true}}, 12 * time.Second, "a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var v Voice
			v.Say("first", false)
			if got, ok := v.Due(10 * time.Second); !ok || got != "first" {
				t.Fatalf("the first caption is %q, %v", got, ok)
			}
			for _, s := range test.say {
				v.Say(s.text, s.own)
			}
			if got, ok := v.Due(test.at); got != test.want || ok != (test.want != "") {
				t.Errorf("%q, %v, want %q", got, ok, test.want)
			}
			if _, again := v.Due(test.at); again {
				t.Error("it is said twice")
			}
		})
	}
}
