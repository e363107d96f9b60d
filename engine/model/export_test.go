package model

// SetRoom has w hold n attempts and n requests, in place of MaxWaiting.
func (w *World) SetRoom(n int) { w.room = n }
