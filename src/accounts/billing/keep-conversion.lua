--[[
  Stores the result of a conversion, replacing its former result, and drops the account's oldest results if it has too
  many.

  KEYS
    1  string: the result; its name ends with the request id
    2  list: ids of the requests with stored results, the newest first
  ARGV
    1  id of the request
    2  the result, as JSON
    3  how long it is kept, in ms
    4  most results of the account, at least 1

  Only this script knows which results it drops, so it makes their names. They differ from KEYS[1] only in the id, so
  they have the same hash tag.
]]
local result, ids = KEYS[1], KEYS[2]
local request, kept_ms, max = ARGV[1], ARGV[3], tonumber(ARGV[4])
local prefix = string.sub(result, 1, -#request - 1)

-- Each new result removes a few more than it adds, until all expired ones have left the list.
local DROPPED_AT_ONCE = 10

local is_known = redis.call('EXISTS', result) == 1
redis.call('SET', result, ARGV[2], 'PX', kept_ms)
if not is_known then redis.call('LPUSH', ids, request) end
redis.call('PEXPIRE', ids, kept_ms)
for _ = 1, DROPPED_AT_ONCE do
  local oldest = prefix .. redis.call('LINDEX', ids, -1)
  if redis.call('LLEN', ids) <= max and redis.call('EXISTS', oldest) == 1 then break end
  redis.call('RPOP', ids)
  redis.call('DEL', oldest)
end
