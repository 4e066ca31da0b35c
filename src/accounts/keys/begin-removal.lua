--[[
  Begins to remove an account whose time is over, or goes on. From then on it has no name, plan or limits, and cannot be restored.

  KEYS
    1  hash: the account
  ARGV
    1  what its ledger is to be called afterwards

  Result
    what its ledger is called, as the first call said; "" if its time is not over, or there is no such account
]]
local account = KEYS[1]
--- @include "../../redis/clock.lua"

local known = redis.call('HMGET', account, 'removal', 'deletesAt')
if known[1] then return known[1] end
if not known[2] or tonumber(known[2]) > now then return '' end
redis.call('DEL', account)
redis.call('HSET', account, 'removal', ARGV[1])
return ARGV[1]
