--[[
  Has a message delivered again, from the first attempt on, unless this run or a later one began before.

  KEYS
    1  sorted set: deliveries of the endpoint   2  hash: the delivery   3  sorted set: those that are pending
  ARGV
    1  how long it is kept, in ms   2  the number of the run

  Result
    1, or 0 if there is no such delivery
]]
--- @include "../redis/clock.lua"

local run = redis.call('HGET', KEYS[2], 'run')
if not run then return 0 end
if tonumber(run) >= tonumber(ARGV[2]) then return 1 end
redis.call('HSET', KEYS[2], 'run', ARGV[2], 'state', 'pending', 'nextAttemptAt', now, 'step', 0)
redis.call('PEXPIRE', KEYS[2], ARGV[1])
redis.call('ZADD', KEYS[3], now, redis.call('HGET', KEYS[2], 'id'))
for i = 1, 3, 2 do redis.call('PEXPIRE', KEYS[i], ARGV[1]) end
return 1
