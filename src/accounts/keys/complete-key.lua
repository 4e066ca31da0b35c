--[[
  Completes the record of a key that an older version made: adds its SHA-256, by which its locator is found when it ends,
  and the record's expiration, if the key ends.

  KEYS
    1  hash: the key
    2  hash: the rate windows of the key, if it is a test key
  ARGV
    1  its SHA-256
    2  retention of the record after the key's end, and of the windows from now on, in ms

  Result
    expiration of the record, in ms since the epoch; "" if the key has no end; nil if there is no such key
]]
local key, windows, kept = KEYS[1], KEYS[2], tonumber(ARGV[2])

if redis.call('HEXISTS', key, 'id') == 0 then return false end
redis.call('HSETNX', key, 'sha256', ARGV[1])
if redis.call('PTTL', windows) == -1 then redis.call('PEXPIRE', windows, kept) end

local record = redis.call('HMGET', key, 'expiresAt', 'revokedAt')
local ends_at = math.min(tonumber(record[1]) or math.huge, tonumber(record[2]) or math.huge)
if ends_at == math.huge then return '' end
local gone = string.format('%d', ends_at + kept)
redis.call('PEXPIREAT', key, gone)
return gone
