-- Drops a taken shard that is in PostgreSQL by now, unless the next batch is there already.
-- KEYS: taken hash. ARGV: name of the batch.
if redis.call('HGET', KEYS[1], 'batch') == ARGV[1] then
  redis.call('DEL', KEYS[1])
end
return 1
