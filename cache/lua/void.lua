-- Invalidate a key after an edit. Deleting the lease voids the fill in progress on any machine: its
-- commit will be refused. The message voids copies and flights inside the processes.
--
-- KEYS  value, lease
-- ARGV  channel, message
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('PUBLISH', ARGV[1], ARGV[2])
return 1
