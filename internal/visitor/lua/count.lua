-- Counts one more. The window begins, and its end is set, with the first.
-- KEYS: counter. ARGV: window in ms. Returns the count and the time left in ms.
local count = redis.call('INCR', KEYS[1])
if count == 1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return { count, redis.call('PTTL', KEYS[1]) }
