--[[
  Creates a successor for a key, with the same settings and family, and ends the key after an overlap. A key gets one
  successor: a second call returns it.

  KEYS
    1  hash: the key
    2  hash: its future successor
    3  sorted set: the account's keys, "ENDS-CREATED-ID"
    4  hash: start of the last day on which the account's keys rotated, and the number of rotations. It never expires,
       as a clock that steps could otherwise open a day twice.
  ARGV
    1  overlap for which the key keeps working, in ms
    2  id of the successor
    3  display form of the successor
    4  salt from which the successor's text was derived, "" if it was not derived
    5  rotations a day (UTC) allowed to the account, "" if this one does not count
    6  SHA-256 of the successor's text
    7  retention of a key's record after its end, in ms
    8  most keys of the account that are kept, ended ones included, "" if this does not matter
    9  who makes the successor, as JSON, "" if this is not known

  Result, as JSON
    { outcome: "created", endsAt: end of the key in ms, successor: its fields }
    { outcome: "rotated", endsAt: end of the key in ms, successor: its id, salt }
    { outcome: "unknown" } or { outcome: "expired" }: the key cannot be rotated
    { outcome: "kept" }: the account has the most keys that are kept
    { outcome: "limited", retryAfter: seconds until the end of the day }: the account has used up its rotations
]]
local key, successor, account_keys, rotations = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local overlap, id, display, salt, limit = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local sha256, kept, most = ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8])

local DAY = 86400

--- @include "../../redis/clock.lua"
--- @include "../../redis/window.lua"
--- @include "account-entry.lua"

local record =
  redis.call('HMGET', key, 'id', 'revokedAt', 'expiresAt', 'successor', 'successorSalt', 'createdAt', 'family')
if not record[1] or record[2] then return cjson.encode({ outcome = 'unknown' }) end
local expires_at = tonumber(record[3])
if expires_at and expires_at <= now then return cjson.encode({ outcome = 'expired' }) end
if record[4] then
  return cjson.encode({ outcome = 'rotated', endsAt = expires_at, successor = record[4], salt = record[5] or '' })
end

if most and redis.call('ZCARD', account_keys) >= most then return cjson.encode({ outcome = 'kept' }) end
if limit then
  local start, count = read_window(rotations, 'start', 'count', DAY)
  if count >= limit then return cjson.encode({ outcome = 'limited', retryAfter = start + DAY - seconds }) end
  redis.call('HSET', rotations, 'start', start, 'count', count + 1)
end

local function let_go(name, ends)
  redis.call('PEXPIREAT', name, string.format('%d', ends + kept))
end

local settings = {
  'account', 'name', 'environment', 'type', 'permissions', 'ipRestrictions', 'addressPrefixes', 'origins', 'expiresAt',
}
for _, field in ipairs(settings) do
  local value = redis.call('HGET', key, field)
  if value then redis.call('HSET', successor, field, value) end
end
redis.call(
  'HSET', successor, 'id', id, 'display', display, 'createdAt', now, 'sha256', sha256, 'family', record[7] or record[1]
)
if ARGV[9] ~= '' then redis.call('HSET', successor, 'madeBy', ARGV[9]) end
if expires_at then let_go(successor, expires_at) end
redis.call('ZADD', account_keys, 0, account_entry(expires_at, now, id))

-- Never beyond its expiration.
local ends_at = math.min(expires_at or math.huge, now + overlap)
redis.call('HSET', key, 'expiresAt', string.format('%d', ends_at), 'successor', id, 'successorSalt', salt)
let_go(key, ends_at)
redis.call('ZREM', account_keys, account_entry(expires_at, record[6], record[1]))
redis.call('ZADD', account_keys, 0, account_entry(ends_at, record[6], record[1]))

local made = redis.call('HGETALL', successor)
local fields = {}
for i = 1, #made, 2 do fields[made[i]] = made[i + 1] end
return cjson.encode({ outcome = 'created', endsAt = ends_at, successor = fields })
