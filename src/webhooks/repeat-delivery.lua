--[[
  Has a message delivered again, from the first attempt on.

  KEYS
    1  sorted set: deliveries of the endpoint   2  hash: the delivery   3  sorted set: those that are pending
  ARGV
    1  how long it is kept, in ms

  Result
    the number of the run, or 0 if there is no such delivery
]]
--- @include "../redis/clock.lua"

if redis.call('EXISTS', KEYS[2]) == 0 then return 0 end
redis.call('HSET', KEYS[2], 'state', 'pending', 'nextAttemptAt', now, 'step', 0)
redis.call('PEXPIRE', KEYS[2], ARGV[1])
redis.call('ZADD', KEYS[3], now, redis.call('HGET', KEYS[2], 'id'))
for i = 1, 3, 2 do redis.call('PEXPIRE', KEYS[i], ARGV[1]) end
return redis.call('HINCRBY', KEYS[2], 'run', 1)
