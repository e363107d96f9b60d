package live

import (
	"context"
	"sync"
)

type eventKind uint8

const (
	resultEvent eventKind = iota
	lostEvent
	timerEvent
	cancelEvent
)

// event is what a driver is woken for.
type event struct {
	kind    eventKind
	layer   *layer // whose timer or attempt it is, or was
	attempt int
	answer  answer
}

// inbox brings a driver its events without ever making the sender wait. Each comes with a hold on the clock.
type inbox struct {
	clock  Clock
	ready  chan struct{} // has a value when events may be waiting
	mu     sync.Mutex
	events []event
	closed bool
}

func (b *inbox) deliver(ev event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		b.clock.Release() // too late for anybody to care
		return
	}
	b.events = append(b.events, ev)
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// next waits for an event. The end of ctx is one too, and holds the clock like the others.
func (b *inbox) next(ctx context.Context) event {
	for {
		b.mu.Lock()
		if len(b.events) > 0 {
			ev := b.events[0]
			b.events = b.events[1:]
			b.mu.Unlock()
			return ev
		}
		b.mu.Unlock()
		select {
		case <-b.ready:
		case <-ctx.Done():
			b.clock.Hold()
			return event{kind: cancelEvent}
		}
	}
}

func (b *inbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for range b.events {
		b.clock.Release()
	}
}
