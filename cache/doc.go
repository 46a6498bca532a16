// Package cache keeps expensive answers in memory and in Redis, and lets one caller at a time fetch an
// answer that is missing: the defence against a cache stampede.
//
// # One request
//
//	client ─▶ L1 (in process) ─▶ flight (in process) ─▶ Redis value ─▶ lease ─▶ load (bulkhead) ─▶ commit
//
// A Group's Get looks into L1 first. On a miss it joins the flight of its key, or starts one. The flight asks
// Redis with one GET. On a miss there it takes a slot of the bulkhead and asks for the key's lease; one
// process over all gets it, runs the load, and commits: the value is stored only if the lease is still held.
// The others are woken by a message and read the value. Everybody who waits obeys their own context, and
// nobody's leaving fails the rest.
//
// # Reading order
//
//	strategy.go   the seven degrees of protection, by name
//	policy.go     how long a prefix's entries live
//	entry.go      what is stored, and its envelope
//	cache.go      the lookup, level by level
//	flight.go     single-flight and L1, and why one mutex guards both
//	lease.go      the Redis lease: who loads, who waits, what happens when the holder dies; lua/ has its scripts
//	refresh.go    stale-while-revalidate and XFetch
//	load.go       running a loader so that its panic, hang or exit hurts nobody
//	bulkhead.go   the bound on concurrent loads
//	breaker.go    what to do when Redis does not answer
//	hot.go        which keys are asked for most, and what they get
//	invalidate.go what an edit must say to the cache
//	backplane.go  the subscription that carries invalidations and wake-ups
//	group.go      the typed face
//
// # Words
//
//	load         a call of the caller's function that gets the answer from its source
//	flight       the one running pass for a key in a process, which later callers join
//	lease        the right to load a key, over all processes, for a short time
//	token        a random name drawn for each attempt to get a lease
//	commit       storing an answer under a lease that is still held; a fenced commit is refused
//	void         invalidate: forget a key, and the right of running loads to store it
//	soft expiry  from here on a value is stale; hard expiry: from here on it is gone
//	stamp        the time before a load began; the identity of the value it brought
//	L1           the copies in a process's own memory
//
// # What it promises
//
// A load that began before an invalidation is never stored after it, in Redis or in L1. A caller who was
// already waiting when the invalidation came may still get that load's answer. In the invalidating
// process nobody who starts later does; in the others nobody who starts after the message arrived, and
// if messages do not arrive at all, L1 ends by its own TTL.
//
// # What it does not do
//
// It does not make writes atomic with the database (invalidate after the commit), does not lock anything
// for longer than one fill, and does not help against many different keys except by bounding the loads.
package cache
