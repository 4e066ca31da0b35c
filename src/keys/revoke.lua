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

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

local record = redis.call('HMGET', key, 'id', 'createdAt', 'expiresAt', 'revokedAt')
if not record[1] or record[4] then return 0 end

-- As account-keys.ts makes it.
local function entry(ends_at)
  local ends = ends_at and string.format('%015d', ends_at) or string.rep('9', 15)
  return string.format('%s-%015d-%s', ends, record[2], record[1])
end

local expires_at = tonumber(record[3])
local ends_at = math.min(expires_at or now, now)
redis.call('HSET', key, 'revokedAt', now)
redis.call('ZREM', account_keys, entry(expires_at))
redis.call('ZADD', account_keys, 0, entry(ends_at))
redis.call('PEXPIREAT', key, string.format('%d', ends_at + tonumber(ARGV[1])))
return 1
