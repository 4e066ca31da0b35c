--[[
  Creates a key of an account.

  KEYS
    1  hash: its account
    2  hash: the key
    3  sorted set: the account's keys, "ENDS-CREATED-ID"
  ARGV
    1  the key's entry in the sorted set
    2  expiration of its record, in ms since the epoch, "" if it has no end
    3 and on: its fields and values

  Result
    "created", or "unknown" (there is no such account)
]]
local account, key, account_keys = KEYS[1], KEYS[2], KEYS[3]

if redis.call('HEXISTS', account, 'name') == 0 then return 'unknown' end

-- The record comes last, as an entry without a record is ignored.
redis.call('ZADD', account_keys, 0, ARGV[1])
redis.call('HSET', key, unpack(ARGV, 3))
if ARGV[2] ~= '' then redis.call('PEXPIREAT', key, ARGV[2]) end
return 'created'
