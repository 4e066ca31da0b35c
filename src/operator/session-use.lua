--[[
  Looks a session up, and has it last longer where it is used. The clock is Redis' own.

  KEYS
    1  hash: the session
  ARGV
    1  how long it lasts from now without another use, in ms; "" where this is no use of it

  Result
    { now, when it began, when it ends unless it is used, when it ends in any case, tie }, times in ms
    { } where there is no such session, or it has ended
]]
--- @include "../redis/clock.lua"
local session = redis.call('HMGET', KEYS[1], 'beganAt', 'idleUntil', 'expiresAt', 'tie')
if not session[1] then return {} end
local idle_until, expires_at = tonumber(session[2]), tonumber(session[3])
if math.min(idle_until, expires_at) <= now then return {} end
if ARGV[1] ~= '' then
  local longer = math.min(expires_at, now + tonumber(ARGV[1]))
  -- Also without writes: when Redis is full, for example, the operator needs the dashboard most.
  if type(redis.pcall('HSET', KEYS[1], 'idleUntil', longer)) == 'number' then
    idle_until = longer
    redis.call('PEXPIREAT', KEYS[1], idle_until)
  end
end
return { now, tonumber(session[1]), idle_until, expires_at, session[4] }
