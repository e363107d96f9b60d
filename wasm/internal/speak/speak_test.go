package speak

import (
	"testing"
	"time"
)

func TestVoice(t *testing.T) {
	type said struct {
		text string
		own  bool
	}
	say := func(texts ...string) (all []said) {
		for _, text := range texts {
			all = append(all, said{text, false})
		}
		return all
	}
	for _, test := range []struct {
		name string
		say  []said
		at   time.Duration // after a first caption at 10 s
		want string
		told string
	}{
		{"nothing to say", nil, 20 * time.Second, "", ""},
		{"too soon", []said{{"a", false}}, 10*time.Second + Pause - 1, "", ""},
		{"a second later", []said{{"a", false}}, 10*time.Second + Pause, "a", "a"},
		{"the newest", []said{{"a", false}, {"b", false}}, 12 * time.Second, "b", "a b"},
		{"the reader's own first", []said{{"mine", true}, {"b", false}}, 12 * time.Second, "mine", "mine b"},
		{"the newest of the reader's own", []said{{"mine", true}, {"also mine", true}}, 12 * time.Second, "also mine", "mine also mine"},
		{"nothing is no caption", []said{{"a", false}, {"", true}}, 12 * time.Second, "a", "a"},
		{"no more than can be listened to", say("a", "b", "c", "d", "e", "f", "g", "h", "i"), 12 * time.Second, "i", "b c d e f g h i"},
		{"what is handed in twice", say("a", "a"), 12 * time.Second, "a", "a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var v Voice
			v.Say("first", false)
			if got, told, ok := v.Due(10 * time.Second); !ok || got != "first" || told != got {
				t.Fatalf("the first caption is %q, told is %q, %v", got, told, ok)
			}
			for _, s := range test.say {
				v.Say(s.text, s.own)
			}
			if got, told, ok := v.Due(test.at); got != test.want || told != test.told || ok != (test.want != "") {
				t.Errorf("%q and %q, %v, want %q and %q", got, told, ok, test.want, test.told)
			}
			if _, _, again := v.Due(test.at); again {
				t.Error("it is said twice")
			}
			v.Say("of a run that is left", false)
			if v.Hush(); v.next != "" || v.all != nil {
				t.Error("what is dropped still waits")
			}
		})
	}
}
