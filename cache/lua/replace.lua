-- Store a value that its writer has at hand, after the edit that made it. A newer one is never replaced by an older,
-- in whichever order two writers arrive. Loads in progress are voided, as by an invalidation.
--
-- KEYS  value, lease
-- ARGV  value, TTL in ms, channel, message
-- Reply 'stored' | 'outdated' when a newer version, or a newer program's schema, is there
local function number(s, from, to) -- exact below 2^53
  local n = 0
  for i = from, to do n = n * 256 + string.byte(s, i) end
  return n
end
local current = redis.pcall('GET', KEYS[1])
local reply = 'stored'
if type(current) == 'string' and #current >= 49 and string.sub(current, 1, 2) == string.sub(ARGV[1], 1, 2) then
  local schema, ours = number(current, 3, 4), number(ARGV[1], 3, 4)
  if schema > ours or schema == ours and number(current, 38, 45) > number(ARGV[1], 38, 45) then
    reply = 'outdated'
  end
end
if reply == 'stored' then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
redis.call('DEL', KEYS[2])
redis.call('PUBLISH', ARGV[3], ARGV[4])
return reply
