--[[
  Makes a key, if there is still a permit for it.

  KEYS
    1  hash: its account
    2  hash: the key
    3  sorted set: the account's keys, "ENDS-CREATED-ID"
    4  string: the permit
  ARGV
    1  the key's entry in the sorted set
    2  when its record goes, in ms since the epoch, "" for one that has no end
    3 and on: its fields and values

  Result
    "created", "late" (there is no permit any more) or "unknown" (there is no such account)
]]
local account, key, account_keys, permit = KEYS[1], KEYS[2], KEYS[3], KEYS[4]

if redis.call('DEL', permit) == 0 then return 'late' end
if redis.call('EXISTS', account) == 0 then return 'unknown' end

-- The record last: an entry without one is nothing.
redis.call('ZADD', account_keys, 0, ARGV[1])
redis.call('HSET', key, unpack(ARGV, 3))
if ARGV[2] ~= '' then redis.call('PEXPIREAT', key, ARGV[2]) end
return 'created'
