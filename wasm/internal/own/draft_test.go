package own

import (
	"strings"
	"testing"

	"stormbin/engine/scenario"
)

// What is typed is never lost: not when it can't be read, and not to the form, which waits.
func TestWhatIsTypedStays(t *testing.T) {
	d := New(ShapeText("service"))
	good := d.Text()
	d.Type(good[:40])
	if d.Text() != good[:40] || d.Unread() == nil || d.Problem() == nil {
		t.Fatalf("half a text became %q, unread because of %v", d.Text(), d.Unread())
	}
	if s := d.Scenario(); len(s.Operations) != 1 {
		t.Errorf("what could be read last is gone: %v", s.Operations)
	}
	if err := d.Set("duration", "10s"); err == nil || d.Text() != good[:40] {
		t.Errorf("the form wrote over what is being typed: %v, %q", err, d.Text())
	}
	d.Undo()
	if d.Text() != good || d.Problem() != nil {
		t.Errorf("undone, the text is %q: %v", d.Text(), d.Problem())
	}
}

// The form and the text follow each other, and a value that can't be is refused, or told of.
func TestFormAndTextFollow(t *testing.T) {
	d := New(ShapeText("service"))
	if err := d.Set("dependencies.db.slots", 12.); err != nil || !strings.Contains(d.Text(), `"slots": 12`) {
		t.Errorf("slots set to 12 (%v):\n%s", err, d.Text())
	}
	d.Type(strings.Replace(d.Text(), `"slots": 12`, `"slots": 13`, 1))
	if got := d.Scenario().Dependencies["db"].Slots; got != 13 {
		t.Errorf("typed 13 slots, and there are %d", got)
	}
	before := d.Text()
	if err := d.Set("policy.calls.db.timeout", "20"); err == nil || d.Text() != before {
		t.Errorf("a timeout without its unit: %v", err)
	}
	if err := d.Set("dependencies.db.slots", 0); err != nil {
		t.Fatal(err)
	}
	if err := d.Problem(); err == nil || !strings.HasPrefix(err.Error(), "dependencies.db.slots: 0: must be") {
		t.Errorf("of no slots it says: %v", err)
	}
	if err := d.Set("id", "x"); err == nil {
		t.Error("the id was set, which only the text may")
	}
}

func TestUndo(t *testing.T) {
	d := New(ShapeText("service"))
	at := func(want string) {
		t.Helper()
		if got := d.Scenario().Policy.Calls["db"].Timeout.String(); got != want {
			t.Errorf("the timeout is %s, want %s", got, want)
		}
	}
	for _, typed := range []string{"2s", "20s", "200s"} { // one field, in one go
		d.Set("policy.calls.db.timeout", typed)
	}
	d.Set("dependencies.db.slots", 11)
	d.Set("policy.calls.db.timeout", "5s")
	d.Undo()
	at("3m20s")
	d.Undo()
	if got := d.Scenario().Dependencies["db"].Slots; got != 10 {
		t.Errorf("%d slots after undoing them, want 10", got)
	}
	d.Undo()
	at("300ms")
	if d.CanUndo() {
		t.Error("there is still something to undo")
	}
	d.Undo()
	d.Redo()
	at("3m20s")
	d.Pause()
	d.Set("policy.calls.db.timeout", "1s")
	d.Pause()
	d.Set("policy.calls.db.timeout", "2s")
	if d.CanRedo() {
		t.Error("what comes after a change can still be done again")
	}
	d.Undo()
	at("1s")
	d.Set("policy.calls.db.timeout", "1s") // which it is
	d.Undo()
	at("3m20s")
}

// A text that is typed with more than the form has a field for keeps that when the form changes something.
func TestTheFormKeepsWhatItHasNoFieldFor(t *testing.T) {
	for _, e := range scenario.List() {
		built, _ := scenario.Find(e.ID)
		text, err := built.Full()
		if err != nil {
			t.Fatal(err)
		}
		d := New(string(text))
		seed := built.Seed + 1
		if err := d.Set("seed", seed); err != nil {
			t.Fatal(err)
		}
		built.Seed = seed
		if left := scenario.Diff(d.Scenario(), built); len(left) > 0 {
			t.Errorf("%s: after another seed also %v are different", e.ID, left)
		}
	}
}

// What was there before can be had back in another draft, too, as far as there is room to keep it.
func TestPast(t *testing.T) {
	d := New("{}")
	for _, id := range []string{"service", "tiers", "two-service"} {
		d.Replace(ShapeText(id))
	}
	again := New(d.Text(), d.Past(1<<20)...)
	again.Undo()
	if again.Text() != ShapeText("tiers") {
		t.Errorf("undone, there is %s", again.Text())
	}
	again.Undo()
	again.Undo()
	if again.Text() != "{}" || again.CanUndo() {
		t.Errorf("undone to its end, there is %s", again.Text())
	}
	if some := d.Past(len(ShapeText("tiers")) + 2); len(some) != 1 || some[0] != ShapeText("tiers") {
		t.Errorf("where there is room for one, kept are %d", len(some))
	}
}
