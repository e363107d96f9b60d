package metrics

import (
	"strconv"
	"strings"

	"stormbin/engine/json"
	"stormbin/engine/scenario"
)

// AppendJSON adds the report as storm run -json prints it.
func AppendJSON(dst []byte, r *Report) []byte { return append(json.Append(dst, r, "\n"), '\n') }

// A column is one figure of each second: its name, with the unit, and its value.
type column[Second any] struct {
	name string
	of   func(Second) float64
}

var operationColumns = []column[RowOperation]{
	{"offered [requests]", func(o RowOperation) float64 { return float64(o.Offered) }},
	{"ended [requests]", func(o RowOperation) float64 { return float64(o.Ended) }},
	{"ended_ok [requests]", func(o RowOperation) float64 { return float64(o.EndedOK) }},
}

var dependencyColumns = []column[RowDependency]{
	{"attempts [attempts]", func(d RowDependency) float64 { return float64(d.Attempts) }},
	{"retries [attempts]", func(d RowDependency) float64 { return float64(d.Retries) }},
	{"hedges [attempts]", func(d RowDependency) float64 { return float64(d.Hedges) }},
	{"refused [attempts]", func(d RowDependency) float64 { return float64(d.Refused) }},
	{"shed [attempts]", func(d RowDependency) float64 { return float64(d.Shed) }},
	{"timeouts [attempts]", func(d RowDependency) float64 { return float64(d.Timeouts) }},
	{"completed [attempts]", func(d RowDependency) float64 { return float64(d.Completed) }},
	{"queue [attempts]", func(d RowDependency) float64 { return float64(d.Queue) }},
	{"busy [slots]", func(d RowDependency) float64 { return float64(d.Busy) }},
	{"busy_mean [slots]", func(d RowDependency) float64 { return d.BusyMean }},
	{"turned_away [calls]", func(d RowDependency) float64 { return float64(d.TurnedAway) }},
	{"open [breakers]", func(d RowDependency) float64 { return float64(d.Open) }},
}

// AppendCSV adds the report's series as RFC 4180 has it: a line of names, then one for each second. Names are those of the
// JSON, with the unit; bad is 1 or 0. First what is of all requests, then of each operation, then of each dependency, by
// name.
func AppendCSV(dst []byte, r *Report) []byte {
	operations, dependencies := scenario.Names(r.Operations), scenario.Names(r.Dependencies)
	dst = append(dst, "t [s],offered [requests],ok [requests],failed [requests],bad [0 or 1],p50 [s],p99 [s]"...)
	for _, name := range operations {
		for _, c := range operationColumns {
			dst = appendField(dst, "operations."+name+"."+c.name)
		}
	}
	for _, name := range dependencies {
		for _, c := range dependencyColumns {
			dst = appendField(dst, "dependencies."+name+"."+c.name)
		}
	}
	dst = append(dst, "\r\n"...)
	for i := range r.Series {
		row := &r.Series[i]
		dst = strconv.AppendInt(dst, int64(row.TS), 10)
		bad := 0.
		if row.Bad {
			bad = 1
		}
		for _, x := range []float64{float64(row.Offered), float64(row.OK), float64(row.Failed), bad, row.P50S, row.P99S} {
			dst = appendNumber(dst, x)
		}
		for _, name := range operations {
			for _, c := range operationColumns {
				dst = appendNumber(dst, c.of(row.Operations[name]))
			}
		}
		for _, name := range dependencies {
			for _, c := range dependencyColumns {
				dst = appendNumber(dst, c.of(row.Dependencies[name]))
			}
		}
		dst = append(dst, "\r\n"...)
	}
	return dst
}

func appendNumber(dst []byte, x float64) []byte {
	return strconv.AppendFloat(append(dst, ','), x, 'f', -1, 64)
}

// appendField adds a comma and a text, in quotes where it must be.
func appendField(dst []byte, s string) []byte {
	dst = append(dst, ',')
	if !strings.ContainsAny(s, ",\"\r\n") {
		return append(dst, s...)
	}
	return append(append(append(dst, '"'), strings.ReplaceAll(s, `"`, `""`)...), '"')
}
