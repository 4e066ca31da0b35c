--[[
  Notes a key under the last characters of its text. The list goes with the last of its keys.

  KEYS
    1  sorted set: keys with these last characters, "ACCOUNT KEY-ID" by when their records go, in ms
  ARGV
    1  the key   2  when its record goes, in ms, or "+inf"
]]
local list = KEYS[1]
--- @include "../../redis/clock.lua"

redis.call('ZREMRANGEBYSCORE', list, '-inf', now)
redis.call('ZADD', list, ARGV[2], ARGV[1])
local last = redis.call('ZRANGE', list, 0, 0, 'REV', 'WITHSCORES')[2]
if last == 'inf' then redis.call('PERSIST', list) else redis.call('PEXPIREAT', list, string.format('%d', last)) end
