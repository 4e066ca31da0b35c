--[[
  Adds an endpoint, unless there are too many.

  KEYS
    1  sorted set: ids of the owner's endpoints   2  hash: the endpoint
  ARGV
    1  id   2  most endpoints   3  "1" if it is enabled, else "0"   4 and on: further fields and values

  Result
    when it was created, in ms, or 0 if there are too many
]]
--- @include "../redis/clock.lua"

if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[2], 'id', ARGV[1], 'createdAt', now, 'enabled', ARGV[3], unpack(ARGV, 4))
if ARGV[3] == '0' then redis.call('HSET', KEYS[2], 'disabledAt', now) end
redis.call('ZADD', KEYS[1], now, ARGV[1])
return now
