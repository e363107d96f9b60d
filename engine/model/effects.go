package model

// intent is one user's wish to write, and what of it has come true. All that is done for it, by whatever layer and however
// often, shares it.
type intent struct {
	stored  [2]uint64 // steps that have taken effect, a bit each; there are at most 100
	holders int32     // requests, layers and attempts that may still have an effect
	jobs    int32     // that still may undo one
	counted bool
	orphans bool // nobody is left who could make it whole
	op      uint16
}

func (it *intent) has(step uint8) bool { return it.stored[step/64]>>(step%64)&1 == 1 }

// intend begins an intent, held once.
func (w *World) intend(op *operation, counted bool) int32 {
	i := w.intents.take()
	w.intents.rows[i] = intent{holders: 1, counted: counted, op: uint16(op.index)}
	return i
}

func (w *World) hold(i int32) {
	if i != none {
		w.intents.rows[i].holders++
	}
}

// release is one who held an intent being through. When the last one is, what was stored without the last step that would
// refer to it is an orphan.
func (w *World) release(i int32) {
	if i == none {
		return
	}
	it := &w.intents.rows[i]
	it.holders--
	if it.holders > 0 {
		return
	}
	w.eachOrphan(it, func(d *dependency, step int) { d.counting(it.counted).Orphans++ })
	it.orphans = true
	w.freeIntent(i)
}

func (w *World) freeIntent(i int32) {
	if it := &w.intents.rows[i]; it.holders == 0 && it.jobs == 0 {
		w.intents.put(i)
	}
}

// eachOrphan visits what an intent has stored and the last step of its operation doesn't refer to.
func (w *World) eachOrphan(it *intent, visit func(d *dependency, step int)) {
	steps := w.operations[it.op].steps
	if it.stored == [2]uint64{} || it.has(uint8(len(steps)-1)) {
		return
	}
	for s := range steps {
		if it.has(uint8(s)) {
			visit(&w.dependencies[w.lines[steps[s].line].dependency], s)
		}
	}
}

// store is a write taking effect, unless its key shows that it has done so before.
func (w *World) store(d *dependency, a *attempt) {
	it := &w.intents.rows[a.intent]
	c := d.counting(a.counted)
	known := it.has(a.step)
	if w.lines[a.line].keyed && (a.repeated || d.unique && known) {
		c.Repeated++
		return
	}
	c.Stored++
	if known {
		c.Duplicates++
	}
	it.stored[a.step/64] |= 1 << (a.step % 64)
}

// reap removes from a dependency what an intent has stored there, unless something refers to it by now.
func (w *World) reap(i int32, at int) {
	it := &w.intents.rows[i]
	w.eachOrphan(it, func(d *dependency, step int) {
		if d != &w.dependencies[at] {
			return
		}
		c := d.counting(it.counted)
		if !it.orphans {
			c.Orphans++
		}
		c.Reaped++
		it.stored[step/64] &^= 1 << (step % 64)
	})
}
