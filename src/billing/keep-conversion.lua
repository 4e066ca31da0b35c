--[[
  Keeps the result of a conversion, in the place of what was kept of it before, and drops the account's oldest where it
  has too many.

  KEYS
    1  string: the result, whose name ends in the id of its request
    2  list: ids of the requests whose results are kept, the newest first
  ARGV
    1  id of the request
    2  the result, as JSON
    3  how long it is kept, in ms
    4  how many the account has at most, 1 at least

  The names of the results that are dropped are made here: nobody else knows which they are. They differ from KEYS[1]
  in the id alone, and so have its hash tag.
]]
local result, ids = KEYS[1], KEYS[2]
local request, kept_ms, max = ARGV[1], ARGV[3], tonumber(ARGV[4])
local prefix = string.sub(result, 1, -#request - 1)

-- With every result that comes as many go, and a few more until those whose time is over have left the list.
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
