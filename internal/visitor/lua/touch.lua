-- Returns a session's data, or nil, and lets its idle time begin anew, up to its end.
-- KEYS: hash. ARGV: idle time in ms.
local data, ends = unpack(redis.call('HMGET', KEYS[1], 'data', 'ends'))
if not data then
  return nil
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('PEXPIRE', KEYS[1], math.min(tonumber(ARGV[1]), tonumber(ends) - now))
return data
