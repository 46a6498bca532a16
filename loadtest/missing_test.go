package main

import (
	"testing"

	"podbor/internal/herd"
	"podbor/internal/report"
)

func TestBotsComeBackAndBringNewIDs(t *testing.T) {
	ids := absentIDs(1000)
	const n = 2000
	times := map[int64]int{}
	for i := range n {
		id := ids(i)
		if id <= 1000 {
			t.Fatalf("request %d asks for %d, which may exist", i, id)
		}
		times[id]++
	}
	once := 0
	for _, asked := range times {
		if asked == 1 {
			once++
		}
	}
	if once != n/botsNew || len(times) != n/botsNew+botsKnown || different(n, ids) != len(times) {
		t.Errorf("%d ids, %d of them asked for once; want %d and %d", len(times), once, n/botsNew+botsKnown, n/botsNew)
	}
}

func TestMissingWantsOneQueryForEachID(t *testing.T) {
	ids := absentIDs(1000)
	run := func(strategy string, queries, answers int) report.Run {
		r := report.Run{Strategy: strategy, Pods: 3, Requests: 100, Status: map[string]int{"404": answers}, DBQueries: queries, DBQueriesCompleted: queries, Generator: report.Generator{KeptUp: true}}
		return report.Merge([]report.Run{r})
	}
	n := different(100, ids)
	if f := failures(missingChecks([]report.Run{run("off", 100, 100), run("aside", 70, 100), run("flight", 3*n, 100), run("both", n, 100)}, ids)); len(f) > 0 {
		t.Errorf("%q failed", f)
	}
	for name, r := range map[string]report.Run{
		"a query twice": run("both", n+1, 100), "no problem": run("off", 99, 100), "an answer other than 404": run("both", n, 99), "flight over its bound": run("flight", 3*n+1, 100),
	} {
		if len(failures(missingChecks([]report.Run{r}, ids))) == 0 {
			t.Errorf("%s passes", name)
		}
	}
}

func TestTheHerdOfAColdStartAsksEveryProcessForEveryPage(t *testing.T) {
	pages := []string{"/a", "/b", "/c", "/d"}
	asked := map[herd.Arrival]int{}
	for a := range tour(60, 3, pages) {
		asked[a]++
	}
	if len(asked) != 12 {
		t.Errorf("%d pairs of page and process, want 12", len(asked))
	}
}
