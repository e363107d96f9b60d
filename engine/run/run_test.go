package run

import (
	"testing"
	"time"
	"fmt"

	"stormbin/engine/scenario"
)

func TestX(t *testing.T) {
	for _, mean := range []string{"100ms","99.5ms","99ms","98ms","97ms","96ms","95ms","90ms"} {
	for _, at := range []int{1,4,5} {
		s, _ := scenario.Find("two-service")
		set := func(p string, v any) { if err := scenario.Set(&s,p,v); err!=nil {t.Fatal(err)} }
		set("operations.call.arrivals","even"); set("dependencies.b.service.mean",mean)
		set("duration","180s")
		set("policy.calls.b.attempts",min(at,4))
		if at==5 {set("policy.budget.percent",10)}
		rep, err := Do(s)
		if err!=nil {t.Fatal(err)}
		fmt.Println(mean, at, rep.BadSeconds, rep.Metastable, rep.RecoveryS, rep.Events, rep.TraceHash)
	}}
	for _, at := range []int{1,4,5} {
		s, _ := scenario.Find("two-service")
		set := func(p string, v any) { if err := scenario.Set(&s,p,v); err!=nil {t.Fatal(err)} }
		set("duration","60s"); set("faults.0.at","0s");set("faults.0.for","60s")
		set("policy.calls.b.attempts",min(at,4))
		if at==5 {set("policy.budget.percent",10)}
		rep, _ := Do(s)
		fmt.Printf("%+v\n%+v\n", rep.Requests, rep.Dependencies["b"])
	}
	for _, at := range []int{2,4} {
		s, _ := scenario.Find("pastebin")
		set := func(p string, v any) { if err := scenario.Set(&s,p,v); err!=nil {t.Fatal(err)} }
		if at==4 { for _, c := range []string{"primary_read","primary_insert","object_get","object_put"} {
		set("policy.calls."+c+".attempts",at); set("policy.calls."+c+".retry_on",[]string{"timeout","error","refused"}); set("policy.calls."+c+".backoff.kind","none")}
		}
		s.Faults=[]scenario.Fault{{At:scenario.Duration(3*time.Second),For:scenario.Duration(2*time.Second),Target:"primary",Kind:"stall",Factor:1}}
		t0:=time.Now()
		rep, err := Do(s)
		if err!=nil {t.Fatal(err)}
		fmt.Printf("%v %v events\n%+v\n%+v\n", time.Since(t0), rep.Events, rep.Requests, rep.Dependencies["primary"])
		fmt.Println(rep.BadSeconds, rep.Metastable, rep.RecoveryS)
		if rep.RecoveryS!=nil {fmt.Println(*rep.RecoveryS)}
	}
}
