--[[
  Changes fields of a key that works.

  KEYS
    1  hash: the key
  ARGV
    names of fields and their values in turn

  Result
    "changed", "unknown" (there is no such key), or "ended" (it is revoked or expired)
]]
local key = KEYS[1]
--- @include "../../redis/clock.lua"

local record = redis.call('HMGET', key, 'id', 'revokedAt', 'expiresAt')
if not record[1] then return 'unknown' end
if record[2] or (record[3] and tonumber(record[3]) <= now) then return 'ended' end
redis.call('HSET', key, unpack(ARGV))
return 'changed'
