-- Ask for the right to load a key: a value newer than the one in hand, the lease, or how long to wait.
--
-- KEYS  value, lease
-- ARGV  token, lease TTL in ms, what is in hand: 'none' | 'some' | 'broken', its stamp
-- Reply {'value', bytes} | {'granted'} | {'held', ms the lease has left}
--
-- Repeatable: a retried command finds its own token and is granted again.
local value = redis.pcall('GET', KEYS[1])
if type(value) == 'string' then -- neither missing nor of another type
  local stamp = value
  if #value >= 13 then stamp = string.sub(value, 6, 13) end
  if ARGV[3] == 'none' or stamp ~= ARGV[4] then
    return {'value', value}
  end
end
local holder = redis.call('GET', KEYS[2])
if holder and holder ~= ARGV[1] then
  return {'held', redis.call('PTTL', KEYS[2])}
end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
if ARGV[3] == 'broken' then
  redis.call('DEL', KEYS[1]) -- or the commit could take its damaged bytes for a newer schema
end
return {'granted'}
