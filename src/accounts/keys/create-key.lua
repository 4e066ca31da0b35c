--[[
  Creates a key of an account.

  KEYS
    1  hash: its account
    2  hash: the key
    3  sorted set: the account's keys, "ENDS-CREATED-ID"
  ARGV
    1  the key's entry in the sorted set
    2  expiration of its record, in ms since the epoch, "" if it has no end
    3  most keys of the account that work at a time
    4  most keys of it that are kept, ended ones included
    5 and on: its fields and values

  Result
    "created", "unknown" (there is no such account), "working" or "kept" (it has the most keys that work, or are kept)
]]
local account, key, account_keys = KEYS[1], KEYS[2], KEYS[3]
--- @include "../../redis/clock.lua"

if redis.call('HEXISTS', account, 'name') == 0 then return 'unknown' end
-- Entries sort by when the keys end.
local working = redis.call('ZLEXCOUNT', account_keys, string.format('[%015d', now + 1), '+')
if working >= tonumber(ARGV[3]) then return 'working' end
if redis.call('ZCARD', account_keys) >= tonumber(ARGV[4]) then return 'kept' end

-- The record comes last, as an entry without a record is ignored.
redis.call('ZADD', account_keys, 0, ARGV[1])
redis.call('HSET', key, unpack(ARGV, 5))
if ARGV[2] ~= '' then redis.call('PEXPIREAT', key, ARGV[2]) end
return 'created'
