-- Gives a key back whose work was not done, unless somebody else has taken it over.
-- KEYS: hash. ARGV: token.
if redis.call('HGET', KEYS[1], 'token') == ARGV[1] then
  redis.call('DEL', KEYS[1])
end
return 1
