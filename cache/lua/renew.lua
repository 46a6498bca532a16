-- The holder's heartbeat: prolong the lease if it is still ours. Never creates one: that would
-- revive a fill that an invalidation has voided.
--
-- KEYS  value, lease (the value only names the slot)
-- ARGV  token, lease TTL in ms
-- Reply 1 | 0 when the lease was lost
if redis.call('GET', KEYS[2]) == ARGV[1] then
  return redis.call('PEXPIRE', KEYS[2], ARGV[2])
end
return 0
