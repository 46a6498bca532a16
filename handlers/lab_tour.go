// The guided tour of the lab: seven runs, one for each strategy, and what each of them shows.

package handlers

import (
	"fmt"
	"strconv"

	"github.com/a-h/templ"

	"podbor/internal/lab"
	"podbor/internal/report"
	"podbor/templates"
)

// A lecture is one step of the tour: a question, what to look at, and what a run has to say about it.
type lecture struct {
	strategy string
	state    lab.State
	question string
	setting  string   // what is about to happen
	look     []string // at these things in the picture
	lesson   func(report.Run) string
}

// tourSteps is how many there are; they count from 1.
var tourSteps = len(tour)

// tourPlan is the run of a step.
func tourPlan(n int) lab.Plan {
	return lab.Plan{Strategy: tour[n-1].strategy, Herd: 200, Processes: 3, TimeoutMS: 3000, State: tour[n-1].state}
}

// tourStep shows step n, 1 … tourSteps. run is the visitor's run of this step, if there is one; a run of another plan is none.
func (l *learn) tourStep(n int, csrf string, run *lab.Record) templ.Component {
	step, plan := tour[n-1], tourPlan(n)
	view := templates.LabTourStep{
		CSRF: csrf, Number: n, Question: step.question, Look: step.look,
		Strategy: plan.Strategy, State: string(plan.State),
		Herd: strconv.Itoa(plan.Herd), Processes: strconv.Itoa(plan.Processes), TimeoutMS: strconv.Itoa(plan.TimeoutMS),
	}
	var err error
	if view.Setting, err = prose(step.setting); err != nil {
		return templ.ComponentFunc(nil) // a test reads every step
	}
	for i, other := range tour {
		view.Steps = append(view.Steps, templates.Link{URL: tourURL(i + 1), Text: other.strategy, Current: i+1 == n})
	}
	if n > 1 {
		view.Previous = tourURL(n - 1)
	}
	if n < len(tour) {
		view.Next = tourURL(n + 1)
	}
	if run == nil || !sameRun(run.Plan, plan) {
		return templates.LabTour(view)
	}
	if run.Plan.Guess != nil {
		view.Guess = strconv.Itoa(*run.Plan.Guess)
	}
	switch run.Phase {
	case lab.Done:
		view.Answer = answer(step, run.Plan.Guess, run.Run)
	case lab.Cancelled:
		view.Problem = "This run was cancelled before it had anything to say. Send the herd again."
	case lab.Failed:
		view.Problem = "This run failed: " + run.Problem + ". Send the herd again."
	case lab.Preparing, lab.Running:
		view.Under = true
	}
	return templates.LabTour(view)
}

func tourURL(n int) string { return fmt.Sprintf("/lab?tour=%d", n) }

// sameRun reports whether a run is one of the plan, whatever was guessed.
func sameRun(run, plan lab.Plan) bool {
	run.Guess = nil
	return run == plan
}

// answer tells what a run showed, in its own figures.
func answer(step lecture, guess *int, run report.Run) *templates.LabAnswer {
	a := &templates.LabAnswer{
		Fact: report.Thousands(run.DBQueries), Queries: counted(run.DBQueries, "query", "queries") + " were run",
		Verdict: verdict(guess, run.DBQueries), Lesson: step.lesson(run),
	}
	if run.DBQueries == 1 {
		a.Queries = "1 query was run"
	}
	lost := run.Timeouts + run.Errors
	switch lost {
	case 0:
		a.Lost = "No visitor was lost."
	case run.Requests:
		a.Lost = "All " + counted(lost, "visitor", "visitors") + " were lost."
		if lost == 1 {
			a.Lost = "The one visitor was lost."
		}
	case 1:
		a.Lost = "1 of " + report.Thousands(run.Requests) + " visitors was lost."
	default:
		a.Lost = fmt.Sprintf("%s of %s visitors were lost.", report.Thousands(lost), report.Thousands(run.Requests))
	}
	switch {
	case run.Errors == 0:
	case run.Timeouts == 0:
		a.Lost += " They got an error."
	default:
		a.Lost += fmt.Sprintf(" %s gave up waiting, %s got an error.", report.Thousands(run.Timeouts), report.Thousands(run.Errors))
	}
	a.Wait = "The slowest hundredth waited " + report.Milliseconds(run.Latency.P99)
	if run.SingleQueryMS > 0 {
		a.Wait += fmt.Sprintf("; the query, with the database to itself, takes %s", report.Milliseconds(run.SingleQueryMS))
	}
	a.Wait += "."
	return a
}

// verdict sets the guess beside the fact.
func verdict(guess *int, queries int) string {
	switch {
	case guess == nil:
		return "You did not guess."
	case *guess == queries:
		return "You guessed it exactly."
	case *guess > queries:
		return fmt.Sprintf("You guessed %s: fewer were enough.", report.Thousands(*guess))
	}
	return fmt.Sprintf("You guessed %s: there were more.", report.Thousands(*guess))
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return report.Thousands(n) + " " + many
}

// connections is what the processes of a run have together.
func connections(run report.Run) string {
	return counted(run.Pods*run.Pool, "database connection", "database connections")
}

func lostAny(run report.Run) bool { return run.Timeouts+run.Errors > 0 }

// perVisitor is the usual answer of a strategy that shares nothing.
func perVisitor(run report.Run) bool { return run.DBQueries >= run.Requests }

const unlike = "That is not what this strategy promises. Look at the picture for what else happened, and send the herd again."

var tour = []lecture{
	{
		strategy: "off", state: lab.Expired,
		question: "What does a page cost that is not cached?",
		setting: "200 visitors ask for the same list in the same moment. Three processes answer, each with its own [connection pool]. " +
			"Whoever has no answer after three seconds gives up.",
		look: []string{
			"The lanes, one for each database connection: how soon are all of them taken?",
			"The queue above them: everyone in it waits before his query has even begun.",
			"How long one query takes now, and how long it took alone.",
		},
		lesson: func(run report.Run) string {
			if !perVisitor(run) {
				return fmt.Sprintf("Every visitor wanted a query of his own, and %s got as far as starting it; the others gave up in the queue for one of %s.",
					report.Thousands(run.DBQueries), connections(run))
			}
			if lostAny(run) {
				return fmt.Sprintf("Every visitor's request ran its own query, and all of them stood in line for %s. The database goes on working for people who have left.", connections(run))
			}
			return fmt.Sprintf("Every visitor's request ran its own query on %s. This machine was fast enough to bear it; twice the herd would show the difference.", connections(run))
		},
	},
	{
		strategy: "aside", state: lab.Expired,
		question: "What happens in the moment a cached copy ends?",
		setting:  "Now the list is cached, and almost every visit is answered without the database. But each copy has a [TTL], and it has just ended. The same 200 visitors come.",
		look: []string{
			"The first millisecond of each bar: everyone asks Redis, and everyone finds nothing.",
			"The lanes: is the picture any different from that without a cache?",
		},
		lesson: func(run report.Run) string {
			if perVisitor(run) {
				return "A cache that nobody guards does nothing in the one moment that matters: all miss together, and nobody knows that the same query is running already. This is the stampede."
			}
			if run.DBQueries > run.Pods {
				return fmt.Sprintf("Whoever came before the first answer was stored ran the query: %s of %s. The others were late enough to find the new copy.",
					report.Thousands(run.DBQueries), counted(run.Requests, "visitor", "visitors"))
			}
			return unlike
		},
	},
	{
		strategy: "flight", state: lab.Expired,
		question: "What if the visitors of one process share a query?",
		setting:  "The same moment, but in each process the first to miss starts the query, and the others wait for its answer: [single-flight].",
		look: []string{
			"How many lanes are in use, and in how many processes.",
			"The bars that only wait: they hold no connection.",
		},
		lesson: func(run report.Run) string {
			if run.DBQueries != run.Pods {
				return unlike
			}
			if run.Pods == 1 {
				return "One process, one query. A second process would run its own."
			}
			return fmt.Sprintf("One query for each of the %d processes: each is polite in its own house and knows nothing of the others. On fifty processes there would be fifty.", run.Pods)
		},
	},
	{
		strategy: "lock", state: lab.Expired,
		question: "What if all processes share one lock?",
		setting:  "Instead, everyone who misses asks Redis for the key's [lease]. One gets it and loads; the others wait until the answer is there.",
		look: []string{
			"The lease: which process has it, and when it is given back.",
			"The bars of those who wait, and how they end: all together, or one after the other?",
		},
		lesson: func(run report.Run) string {
			if run.DBQueries != 1 {
				return unlike
			}
			return fmt.Sprintf("One query over all processes. But each of %s asked Redis, waited and asked again for himself, which is work for Redis and for this machine.", counted(run.Requests, "visitor", "visitors"))
		},
	},
	{
		strategy: "both", state: lab.Expired,
		question: "What does a flight in front of the lock save?",
		setting:  "Both: the visitors of a process stand behind one of them, and only that one asks for the [lease]. This is how the site runs unless told otherwise.",
		look: []string{
			"How many bars speak with Redis now.",
			"The last bar beside that of the step before.",
		},
		lesson: func(run report.Run) string {
			if run.DBQueries != 1 {
				return unlike
			}
			s := fmt.Sprintf("One query, and %s with Redis instead of %s.", counted(run.Pods, "conversation", "conversations"), report.Thousands(run.Requests))
			if run.SingleQueryMS > 0 {
				s += fmt.Sprintf(" What is left is the wait for that one query: %s of the %s that the slowest waited.", report.Milliseconds(min(run.SingleQueryMS, run.Latency.P99)), report.Milliseconds(run.Latency.P99))
			}
			return s
		},
	},
	{
		strategy: "swr", state: lab.Stale,
		question: "Must anybody wait at all?",
		setting:  "The copy is past its soft expiry, not yet past its hard one. Under [stale-while-revalidate] it is still shown, and refreshed behind the visitors' backs.",
		look: []string{
			"Where the query is, and whether any bar waits for it.",
			"The colour of the bars: an old copy, and from when on the new one.",
		},
		lesson: func(run report.Run) string { return behind(run, "The price is age: ") },
	},
	{
		strategy: "xfetch", state: lab.Stale,
		question: "Must the copy even get old?",
		setting: "Under [XFetch] every hit may start the refresh a little before the expiry, by a random draw. On a key that is asked for all the time one of them has drawn by then. " +
			"Here nobody came for a while, so the copy is stale all the same: the hardest case.",
		look: []string{
			"One query, though each of 200 visitors had reason to start it: the lease.",
			"That nobody waits, as in the step before.",
		},
		lesson: func(run report.Run) string {
			return behind(run, "Under steady visits the refresh would have come before the expiry, and nobody would have seen an old copy. Here, where nobody had come in time: ")
		},
	},
}

// behind is the lesson of a refresh in the background.
func behind(run report.Run, age string) string {
	if run.DBQueries != 1 {
		return unlike
	}
	s := "One query, in the background"
	if run.SingleQueryMS > 0 && run.Latency.P99 < run.SingleQueryMS {
		s += ", and nobody waited for it: even the slowest hundredth was faster than the query."
	} else {
		s += "."
	}
	if stale := run.StaleServed; stale != nil {
		switch *stale {
		case 0:
			s += " " + age + "no visitor saw the old copy."
		case 1:
			s += " " + age + "1 visitor saw the old copy."
		default:
			s += " " + age + report.Thousands(*stale) + " visitors saw the old copy."
		}
	}
	return s
}
