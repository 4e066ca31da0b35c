--[[
  Looks a session up, and extends it if it is used. The clock is that of Redis.

  KEYS
    1  hash: the session
  ARGV
    1  lifetime without another use, in ms; "" if this is not a use

  Result
    { now, start, end without a use, end in any case, tie }, times in ms
    { } if there is no such session, or it has ended
]]
--- @include "../redis/clock.lua"
local session = redis.call('HMGET', KEYS[1], 'beganAt', 'idleUntil', 'expiresAt', 'tie')
if not session[1] then return {} end
local idle_until, expires_at = tonumber(session[2]), tonumber(session[3])
if math.min(idle_until, expires_at) <= now then return {} end
if ARGV[1] ~= '' then
  local longer = math.min(expires_at, now + tonumber(ARGV[1]))
  -- Works without writes, too: the operator needs the dashboard most when Redis is full.
  if type(redis.pcall('HSET', KEYS[1], 'idleUntil', longer)) == 'number' then
    idle_until = longer
    redis.call('PEXPIREAT', KEYS[1], idle_until)
  end
end
return { now, tonumber(session[1]), idle_until, expires_at, session[4] }
