-- Takes a key for work that is to be done once, or tells how far that work is.
-- KEYS: hash. ARGV: fingerprint of the content, token, window in ms, how long the work may take in ms.
-- Returns a state and an outcome. The key lives one window from its first claim, however it goes on.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local content, state, outcome, ends = unpack(redis.call('HMGET', KEYS[1], 'content', 'state', 'outcome', 'ends'))
if content and content ~= ARGV[1] then
  return { 'other', '' }
end
if state == 'done' then
  return { 'done', outcome }
end
if state == 'busy' and tonumber(ends) > now then
  return { 'busy', '' }
end
redis.call('HSET', KEYS[1], 'content', ARGV[1], 'state', 'busy', 'token', ARGV[2], 'ends', now + ARGV[4])
if not content then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return { 'mine', '' }
