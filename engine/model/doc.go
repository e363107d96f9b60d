// Package model is the world built from a scenario: arrivals, processes, dependencies, faults.
package model
