-- Begins a session.
-- KEYS: hash. ARGV: data, idle time in ms, longest time in ms.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], 'data', ARGV[1], 'ends', now + ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
