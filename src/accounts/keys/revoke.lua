--[[
  Revokes a key. Revoking it again changes nothing.

  KEYS
    1  hash: the key
    2  sorted set: the keys of its account, "ENDS-CREATED-ID"
  ARGV
    1  retention of the record, in ms

  Result
    1 if this call revoked it, else 0
]]
local key, account_keys = KEYS[1], KEYS[2]

--- @include "../../redis/clock.lua"
--- @include "account-entry.lua"

local record = redis.call('HMGET', key, 'id', 'createdAt', 'expiresAt', 'revokedAt')
if not record[1] or record[4] then return 0 end

local expires_at = tonumber(record[3])
local ends_at = math.min(expires_at or now, now)
redis.call('HSET', key, 'revokedAt', now)
redis.call('ZREM', account_keys, account_entry(expires_at, record[2], record[1]))
redis.call('ZADD', account_keys, 0, account_entry(ends_at, record[2], record[1]))
redis.call('PEXPIREAT', key, string.format('%d', ends_at + tonumber(ARGV[1])))
return 1
