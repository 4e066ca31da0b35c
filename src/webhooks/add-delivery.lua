--[[
  Adds the delivery of a message, once. If too many are pending, it has failed at once. Of too many in the list the oldest are
  dropped; one that is pending is delivered all the same.

  KEYS
    1  sorted set: deliveries of the endpoint   2  hash: the delivery   3  sorted set: those that are pending
  ARGV
    1  id of the message   2  most deliveries of the list   3  how long it is kept, in ms   4  most that are pending
    5 and on: further fields and values

  Result
    how many are pending now
]]
local list, delivery, pending, message = KEYS[1], KEYS[2], KEYS[3], ARGV[1]

--- @include "../redis/clock.lua"

if redis.call('EXISTS', delivery) == 1 then return redis.call('ZCARD', pending) end
redis.call('HSET', delivery, 'id', message, 'state', 'failed', 'createdAt', now, 'run', 1, 'step', 0, 'attempts', 0,
  unpack(ARGV, 5))
-- Removes messages that are no longer kept.
redis.call('ZREMRANGEBYSCORE', pending, '-inf', now - ARGV[3])
if redis.call('ZCARD', pending) < tonumber(ARGV[4]) then
  redis.call('HSET', delivery, 'state', 'pending', 'nextAttemptAt', now)
  redis.call('ZADD', pending, now, message)
  redis.call('PEXPIRE', pending, ARGV[3])
end
redis.call('PEXPIRE', delivery, ARGV[3])
redis.call('ZREMRANGEBYSCORE', list, '-inf', now - ARGV[3])
redis.call('ZADD', list, now, message)
redis.call('PEXPIRE', list, ARGV[3])
for _, dropped in ipairs(redis.call('ZRANGE', list, 0, -1 - ARGV[2])) do
  local name = list .. ':' .. dropped
  if redis.call('HGET', name, 'state') ~= 'pending' then redis.call('DEL', name) end
  redis.call('ZREM', list, dropped)
end
return redis.call('ZCARD', pending)
