--[[
  Begins a session. The clock is that of Redis.

  KEYS
    1  hash: the session
  ARGV
    1  tie to the operator's token
    2  lifetime without a use, in ms
    3  lifetime in any case, in ms

  Result
    { now, start, end without a use, end in any case, tie }, times in ms
]]
--- @include "../redis/clock.lua"
local expires_at = now + tonumber(ARGV[3])
local idle_until = math.min(expires_at, now + tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], 'tie', ARGV[1], 'beganAt', now, 'idleUntil', idle_until, 'expiresAt', expires_at)
redis.call('PEXPIREAT', KEYS[1], idle_until)
return { now, now, idle_until, expires_at, ARGV[1] }
