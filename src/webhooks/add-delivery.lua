--[[
  Adds the delivery of a message, once. Of too many the oldest are dropped from the list; one that is pending is delivered all
  the same.

  KEYS
    1  sorted set: deliveries of the endpoint   2  hash: the delivery
  ARGV
    1  id of the message   2  most deliveries of the list   3  how long it is kept, in ms   4 and on: further fields and values

  Result
    1, or 0 if it is there already
]]
local list, delivery, message = KEYS[1], KEYS[2], ARGV[1]

--- @include "../redis/clock.lua"

if redis.call('EXISTS', delivery) == 1 then return 0 end
redis.call('HSET', delivery, 'id', message, 'state', 'pending', 'createdAt', now, 'nextAttemptAt', now,
  'run', 1, 'step', 0, 'attempts', 0, unpack(ARGV, 4))
redis.call('PEXPIRE', delivery, ARGV[3])
redis.call('ZREMRANGEBYSCORE', list, '-inf', now - ARGV[3])
redis.call('ZADD', list, now, message)
redis.call('PEXPIRE', list, ARGV[3])
for _, dropped in ipairs(redis.call('ZRANGE', list, 0, -1 - ARGV[2])) do
  local name = list .. ':' .. dropped
  if redis.call('HGET', name, 'state') ~= 'pending' then redis.call('DEL', name) end
  redis.call('ZREM', list, dropped)
end
return 1
