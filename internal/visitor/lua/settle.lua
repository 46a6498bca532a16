-- Writes the outcome of work down, unless somebody else has taken the work over.
-- KEYS: hash. ARGV: token, outcome.
if redis.call('HGET', KEYS[1], 'token') == ARGV[1] then
  redis.call('HSET', KEYS[1], 'state', 'done', 'outcome', ARGV[2])
end
return 1
