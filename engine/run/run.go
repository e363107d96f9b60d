// Package run starts, steps and reports on a simulated world.
package run
