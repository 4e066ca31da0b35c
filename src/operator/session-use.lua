--[[
  Looks a session up, and extends it if it is used. The clock is that of Redis.

  KEYS
    1  hash: the sessions of the subject, as JSON by the SHA-256 of their ids
  ARGV
    1  SHA-256 of the id
    2  lifetime without another use, in ms; "" if this is not a use

  Result, as JSON
    { now, beganAt, idleUntil (the end without a use), expiresAt (the end in any case), tie, address, agent }, times in ms
    null if there is no such session, or it has ended
]]
local sessions = KEYS[1]
--- @include "../redis/clock.lua"

local found = redis.call('HGET', sessions, ARGV[1])
if not found then return 'null' end
local session = cjson.decode(found)
if math.min(session.idleUntil, session.expiresAt) <= now then return 'null' end
if ARGV[2] ~= '' then
  local former = session.idleUntil
  session.idleUntil = math.min(session.expiresAt, now + tonumber(ARGV[2]))
  -- Works without writes, too: the operator needs the dashboard most when Redis is full.
  if type(redis.pcall('HSET', sessions, ARGV[1], cjson.encode(session))) ~= 'number' then
    session.idleUntil = former
  elseif redis.call('PTTL', sessions) < session.idleUntil - now then
    redis.call('PEXPIREAT', sessions, session.idleUntil)
  end
end
session.now = now
return cjson.encode(session)
