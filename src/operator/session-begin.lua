--[[
  Begins a session, and drops ended ones of the same subject. The clock is that of Redis.

  KEYS
    1  hash: the sessions of the subject, as JSON by the SHA-256 of their ids
  ARGV
    1  SHA-256 of the id
    2  what ends the session when it changes
    3  lifetime without a use, in ms
    4  lifetime in any case, in ms
    5  most sessions of the subject: the one whose last use is longest ago makes room
    6  address of the client
    7  its program

  Result, as JSON
    { now, beganAt, idleUntil (the end without a use), expiresAt (the end in any case), tie, address, agent }, times in ms
]]
local sessions, most = KEYS[1], tonumber(ARGV[5])
--- @include "../redis/clock.lua"

local known = redis.call('HGETALL', sessions)
local left = {}
for i = 1, #known, 2 do
  local session = cjson.decode(known[i + 1])
  if math.min(session.idleUntil, session.expiresAt) <= now then
    redis.call('HDEL', sessions, known[i])
  else
    left[#left + 1] = { known[i], session.idleUntil }
  end
end
table.sort(left, function(a, b) return a[2] < b[2] end)
for i = 1, #left - most + 1 do redis.call('HDEL', sessions, left[i][1]) end

local expires_at = now + tonumber(ARGV[4])
local idle_until = math.min(expires_at, now + tonumber(ARGV[3]))
local session = {
  beganAt = now, idleUntil = idle_until, expiresAt = expires_at, tie = ARGV[2], address = ARGV[6], agent = ARGV[7]
}
redis.call('HSET', sessions, ARGV[1], cjson.encode(session))
if redis.call('PTTL', sessions) < idle_until - now then redis.call('PEXPIREAT', sessions, idle_until) end
session.now = now
return cjson.encode(session)
