--[[
  Adds requests to a list of the recent ones of an account, and drops those that are too many or too old.

  KEYS
    1  stream: the list
  ARGV
    1  how many it has at most
    2  how long they are kept, in ms
    3  1: some of them may be there already, which are not added again; else 0
    4  and on: the id of a request, what is kept of it, for each

  Result
    { entry ids of the requests, in order; ids of the requests that were dropped }
]]
local stream, max, kept_ms = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
--- @include "../redis/clock.lua"
-- With its number: Redis takes a range's end without one for the last of its millisecond, and a trim's for the first.
local oldest = string.format('%d-0', now - kept_ms)

local present = {}
if ARGV[3] == '1' then
  for _, entry in ipairs(redis.call('XRANGE', stream, '-', '+')) do present[entry[2][2]] = entry[1] end
end

local added, dropped = {}, {}
for i = 4, #ARGV, 2 do
  added[#added + 1] = present[ARGV[i]] or redis.call('XADD', stream, '*', 'id', ARGV[i], 'what', ARGV[i + 1])
end

local function drop(entries)
  for _, entry in ipairs(entries) do dropped[#dropped + 1] = entry[2][2] end
end
drop(redis.call('XRANGE', stream, '-', '(' .. oldest))
redis.call('XTRIM', stream, 'MINID', '=', oldest)
local excess = redis.call('XLEN', stream) - max
if excess > 0 then
  drop(redis.call('XRANGE', stream, '-', '+', 'COUNT', excess))
  redis.call('XTRIM', stream, 'MAXLEN', '=', max)
end
redis.call('PEXPIRE', stream, kept_ms)
return { added, dropped }
