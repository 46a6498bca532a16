-- Give a lease back without a value: the load failed. The message carries the failure, so that waiters
-- return it instead of loading one after the other.
--
-- KEYS  value, lease (the value only names the slot)
-- ARGV  token, channel, message
-- Reply 1 | 0 when the lease was not ours any more
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return 0
end
redis.call('DEL', KEYS[2])
redis.call('PUBLISH', ARGV[2], ARGV[3])
return 1
