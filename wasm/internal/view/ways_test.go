package view

import (
	"fmt"
	"math"
	"testing"
	"time"

	"stormbin/engine/model"
	"stormbin/wasm/internal/frame"
)

// flow is how thick all that flows in a colour is, together.
func flow(marks []frame.Mark, color frame.Color) (thick float64) {
	for _, m := range marks {
		if m.Shape == frame.Band && m.Color == color {
			thick += float64(m.Part) / 4
		}
	}
	return thick
}

// flowing is a scene through which so much flows, at a dependency and from an operation.
func flowing(t testing.TB, id string, w, h float32, operation, name string, o OperationNumbers, p PlaceNumbers) *Scene {
	s := find(t, id)
	scene := NewScene(s)
	scene.Resize(w, h)
	snap := still(s)
	scene.Last = new(Meter).Read(snap)
	_, at := dependency(t, snap, name)
	p.Name = name
	scene.Last.Places[at] = p
	for i := range snap.Operations {
		if snap.Operations[i].Name == operation {
			scene.Last.Operations[i] = o
		}
	}
	scene.Update(snap, Frame{})
	return scene
}

// What is twice as much is twice as thick, of every kind, on a screen and on a phone.
func TestWaysAreAsThickAsWhatPasses(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			draw := func(times float64) []frame.Mark {
				return flowing(t, "pastebin", size.w, size.h, "read",
					"primary", OperationNumbers{Offered: 8700 * times, OK: 4350 * times, Failed: 4350 * times},
					PlaceNumbers{First: 8700 * times, Retries: 8700 * times, Done: 12_000 * times, ForNobody: 6000 * times, Refused: 4350 * times}).Marks()
			}
			once, twice := draw(2), draw(4)
			for _, c := range []struct {
				color frame.Color
				rate  float64
			}{{frame.First, 2 * 8700}, {frame.Retry, 8700}, {frame.OK, 4350 + 6000}, {frame.Failed, 2 * 4350}, {frame.Abandoned, 6000}} {
				a, b := flow(once, c.color), flow(twice, c.color)
				if a == 0 || math.Abs(b/a-2) > .25 {
					t.Errorf("%s: %v px for %v a second, %v for twice as much", c.color.Name(), a, c.rate, b)
				}
				if unit := flow(once, frame.Retry) / 8700; math.Abs(a/c.rate/unit-1) > .25 {
					t.Errorf("%s: %v px for %v a second, while retries have %v for 8,700", c.color.Name(), a, c.rate, unit*8700)
				}
			}
		})
	}
}

// However much there is, a way keeps to its place, and its kinds to their shares.
func TestWaysHaveRoomForAnyRate(t *testing.T) {
	for _, id := range []string{"two-service", "pastebin", "queue"} {
		s := find(t, id)
		for name := range s.Dependencies {
			for _, size := range sizes {
				scene := flowing(t, id, size.w, size.h, "", name, OperationNumbers{}, PlaceNumbers{First: 1e9, Retries: 3e9, Done: 1e9, ForNobody: .5e9})
				for _, m := range scene.Marks() {
					if m.Shape != frame.Band {
						continue
					}
					top, bottom := m.Y-max(m.H, -m.H)/2-float32(m.Part)/8, m.Y+max(m.H, -m.H)/2+float32(m.Part)/8
					if top < 0 || bottom > size.h {
						t.Errorf("%s, %s: from %v to %v on a stage %v high", id, name, top, bottom, size.h)
					}
				}
				if marks := scene.Marks(); flow(marks, frame.First) > 0 {
					if times := flow(marks, frame.Retry) / flow(marks, frame.First); times < 2.5 || times > 3.5 {
						t.Errorf("%s, %s at %v: three times as many retries are %v times as thick", id, name, size, times)
					}
				}
			}
		}
	}
}

// Nothing comes, or nobody has counted yet: there are lines, and nothing flows.
func TestWaysWithoutNumbersAreLines(t *testing.T) {
	s := find(t, "pastebin")
	scene := NewScene(s)
	scene.Resize(900, 460)
	for range 2 {
		scene.Update(still(s), Frame{})
		for _, m := range scene.Marks() {
			if m.Shape == frame.Band {
				t.Errorf("%+v flows", m)
			}
		}
		if count(scene.Marks(), frame.Line, frame.Border) == 0 {
			t.Error("and there are no lines")
		}
		scene.Last = new(Meter).Read(still(s))
	}
}

// Marks go where those of their kind flow, and each keeps to its own side.
func TestMarksGoInTheirStream(t *testing.T) {
	scene := flowing(t, "pastebin", 900, 460, "read", "primary", OperationNumbers{},
		PlaceNumbers{First: 8700, Retries: 26_000, Done: 15_000, ForNobody: 14_000})
	snap := still(find(t, "pastebin"))
	_, at := dependency(t, snap, "primary")
	seen := 0
	for request := range uint64(50) {
		for _, e := range []model.Event{
			{Kind: model.Sent, Holder: model.First}, {Kind: model.Sent, Holder: model.Retry}, {Kind: model.Completed, Holder: model.Abandoned},
		} {
			e.Request, e.Place, e.At, e.Attempt = request, uint16(at), snap.Now, 1
			snap.Trace = []model.Event{e}
			scene.Update(snap, Frame{Speed: 1, Moving: true})
			one := scene.flights.all[len(scene.flights.all)-1]
			one.done = .5
			spot, _, _ := scene.look(&one)
			var band frame.Mark
			for _, m := range scene.Marks() {
				if m.Shape == frame.Band && m.Color == one.color {
					band = m
				}
			}
			x := (spot.X - (band.X - band.W/2)) / band.W
			if x < 0 || x > 1 {
				continue // it is still in its process, or spreads before the place
			}
			seen++
			middle := band.Y - band.H/2 + x*band.H
			if far, half := max(spot.Y-middle, middle-spot.Y), max(float32(band.Part)/8, 2); far > half {
				t.Errorf("%s of request %d is %v px from the middle of a band of %v", one.color.Name(), request, far, 2*half)
			}
		}
		snap.Now += time.Second
	}
	if seen < 75 {
		t.Errorf("half way, %d of 150 marks are between the boxes, want most", seen)
	}
}

// With little motion nothing travels, and what flows is told apart all the same.
func TestWithLittleMotionMarksStandInTheWays(t *testing.T) {
	for _, size := range sizes {
		scene := flowing(t, "two-service", size.w, size.h, "call", "b", OperationNumbers{Offered: 20, OK: 10, Failed: 10},
			PlaceNumbers{First: 20, Retries: 60, Done: 40, ForNobody: 20})
		before := scene.Marks()
		told := map[frame.Color]int{}
		for color, shape := range shapes {
			told[color] = -count(before, shape, color)
		}
		scene.Still = true
		marks := scene.Marks()
		for _, color := range []frame.Color{frame.First, frame.Retry, frame.OK, frame.Failed, frame.Abandoned} {
			if told[color] += count(marks, shapes[color], color); told[color] == 0 {
				t.Errorf("at %v: nothing but its colour says %s", size, color.Name())
			}
		}
	}
}

func TestItIsSaidHowMuchComes(t *testing.T) {
	scene := flowing(t, "pastebin", 900, 460, "read", "primary", OperationNumbers{}, PlaceNumbers{First: 8700, Retries: 26_100})
	scene.Marks()
	for _, want := range []string{"34,800 /s, 75 % retries", "0 /s"} {
		if !hasLabel(scene.Labels(), want) {
			t.Errorf("nothing says %q: %v", want, scene.Labels())
		}
	}
}
