package herd

import (
	"testing"

	"podbor/internal/report"
)

func TestJudgeGenerator(t *testing.T) {
	late := func(ms float64, n int) []report.Request {
		requests := make([]report.Request, 1000)
		for i := range requests {
			requests[i] = report.Request{Start: 10, Sent: 10.5, End: 20}
			if i < n {
				requests[i].Sent = 10 + ms
			}
		}
		return requests
	}
	for _, c := range []struct {
		name     string
		requests []report.Request
		want     report.Generator
	}{
		{"on time", late(0.5, 0), report.Generator{LateP99MS: 0.5, LateMaxMS: 0.5, KeptUp: true}},
		{"one in a hundred very late", late(900, 10), report.Generator{LateP99MS: 0.5, LateMaxMS: 900, KeptUp: true}},
		{"more than one in a hundred", late(201, 11), report.Generator{LateP99MS: 201, LateMaxMS: 201, KeptUp: false}},
		{"none", nil, report.Generator{KeptUp: true}},
	} {
		if got := Judge(c.requests, 0); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestUsageIsAShareOfAllCores(t *testing.T) {
	u := StartUsage()
	for n := 0; processorTime()-u.cpu < 20e6; n++ { // 20 ms of work
	}
	if share := u.Share(); share <= 0 || share > 1 {
		t.Errorf("share %v", share)
	}
}
