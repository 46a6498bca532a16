// What the site answers: small herds on pages of every kind, and what Cache-Status says of each.

package checklist

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"podbor/cache"
)

// visit is what was seen.
type visit struct {
	strategy cache.Strategy
	metrics  string
	herds    map[string]results // by prefix: how each visitor of a herd was served
	warm     map[string]string  // by prefix: how visitors after the herd were served, the best of them
	missing  string             // how the second visitor of an apartment that does not exist was served
}

type results []string

func (r results) count(result string) int {
	n := 0
	for _, one := range r {
		if one == result {
			n++
		}
	}
	return n
}

// patience bounds the whole visit: a few small herds, on a machine that may have other things to do.
const patience = time.Minute

var (
	strategyMetric = regexp.MustCompile(`(?m)^site_info\{[^}]*strategy="([a-z]+)"`)
	cityLink       = regexp.MustCompile(`href="(/[a-z-]+)"[^>]*>[^<]+</a></h3>`)
	homeLink       = regexp.MustCompile(`href="(/apartments/\d+)"`)
	statusMember   = regexp.MustCompile(`podbor-([a-z]+);[^,]*detail=([a-z0-9]+)`)
)

func visitSite(ctx context.Context, url string) (visit, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: herd}}
	defer client.CloseIdleConnections()
	b := browser{client, url}

	v := visit{herds: map[string]results{}, warm: map[string]string{}}
	_, metrics, err := b.get(ctx, "/metrics")
	if err != nil {
		return visit{}, fmt.Errorf("no site answers at %s: start one with make run (%w)", url, err)
	}
	strategy := strategyMetric.FindStringSubmatch(metrics)
	if strategy == nil {
		return visit{}, fmt.Errorf("what answers at %s is not this site: its metrics name no strategy", url)
	}
	if v.strategy, err = cache.ParseStrategy(strategy[1]); err != nil {
		return visit{}, err
	}

	_, home, err := b.get(ctx, "/")
	if err != nil {
		return visit{}, err
	}
	city := cityLink.FindStringSubmatch(home)
	if city == nil {
		return visit{}, errors.New("the home page links to no city")
	}
	// A price that nobody else thinks of makes a listing that is surely not cached yet.
	listing := city[1] + "?price_min=" + strconv.Itoa(1+rand.IntN(1_000_000))
	_, page, err := b.get(ctx, city[1])
	if err != nil {
		return visit{}, err
	}
	apartment := homeLink.FindStringSubmatch(page)
	if apartment == nil {
		return visit{}, fmt.Errorf("%s lists no apartment", city[1])
	}
	// No home is as dear as that, so the page has to say which filter to let go.
	nothing := city[1] + "?price_min=" + strconv.Itoa(999_999_000_000+rand.IntN(1_000_000))
	for _, path := range []string{"/", listing, nothing, apartment[1], "/sitemaps/1.xml"} {
		if err := v.herd(ctx, b, path); err != nil {
			return visit{}, err
		}
	}

	missing := "/apartments/" + strconv.FormatInt(1<<62+rand.Int64N(1<<61), 10)
	for range 2 {
		status, _, err := b.get(ctx, missing)
		if err != nil {
			return visit{}, err
		}
		v.missing = status["apartment"]
	}
	_, v.metrics, err = b.get(ctx, "/metrics")
	return v, err
}

// afterwards is how many visitors follow a herd. On a busy machine the second between two of them is soon over, and with it
// a local copy that was there.
const afterwards = 3

// herd sends visitors to path all at once, then a few one by one.
func (v *visit) herd(ctx context.Context, b browser, path string) error {
	answers, failures := make([]map[string]string, herd), make([]error, herd)
	var group sync.WaitGroup
	for i := range herd {
		group.Go(func() { answers[i], _, failures[i] = b.get(ctx, path) })
	}
	group.Wait()
	if err := errors.Join(failures...); err != nil {
		return err
	}
	var after map[string]string
	for range afterwards {
		var err error
		if after, _, err = b.get(ctx, path); err != nil {
			return err
		}
		for prefix, result := range after {
			if v.warm[prefix] != string(cache.HitL1) {
				v.warm[prefix] = result
			}
		}
	}
	for prefix := range after {
		v.herds[prefix] = nil
		for _, answer := range answers {
			v.herds[prefix] = append(v.herds[prefix], answer[prefix])
		}
	}
	return nil
}

type browser struct {
	client *http.Client
	site   string
}

// get returns how each of the page's lookups was answered, by prefix, and the page.
func (b browser) get(ctx context.Context, path string) (map[string]string, string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.site+path, nil)
	if err != nil {
		return nil, "", err
	}
	response, err := b.client.Do(request)
	if err != nil {
		return nil, "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 500 {
		err = fmt.Errorf("%s answers %s", path, response.Status)
	}
	lookups := map[string]string{}
	for _, member := range statusMember.FindAllStringSubmatch(strings.Join(response.Header.Values("Cache-Status"), ", "), -1) {
		lookups[member[1]] = member[2]
	}
	return lookups, string(body), err
}
