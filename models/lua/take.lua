-- Takes one shard of the counter for adding it to PostgreSQL. What was taken before and not yet dropped comes first, under
-- the batch name that it got then; meanwhile new views go into the live hash.
-- KEYS: live hash, taken hash. ARGV: name for a new batch. Returns the fields and values of the taken hash.
if redis.call('EXISTS', KEYS[2]) == 0 then
  if redis.call('EXISTS', KEYS[1]) == 0 then
    return {}
  end
  redis.call('RENAME', KEYS[1], KEYS[2])
  redis.call('HSET', KEYS[2], 'batch', ARGV[1])
end
return redis.call('HGETALL', KEYS[2])
