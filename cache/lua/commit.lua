-- End a fill: store the value if the lease is still ours, free the lease, wake who waits.
--
-- KEYS  value, lease
-- ARGV  token, value, TTL in ms, schema number, channel, message
-- Reply 'stored' | 'fenced' when the lease is gone or another's (an edit voided it, or it ran out)
--       | 'outdated' when a newer program's schema is already there; the lease is freed
--
-- Repeatable: a retried command finds its own value.
local current = redis.pcall('GET', KEYS[1])
if current == ARGV[2] then
  return 'stored'
end
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return 'fenced'
end
local outdated = false
if type(current) == 'string' and #current >= 4 and string.byte(current, 1) == 112 then -- 'p'
  outdated = string.byte(current, 3) * 256 + string.byte(current, 4) > tonumber(ARGV[4])
end
if not outdated then
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
redis.call('DEL', KEYS[2])
redis.call('PUBLISH', ARGV[5], ARGV[6])
if outdated then
  return 'outdated'
end
return 'stored'
