--[[
  Adds requests to a list of an account's recent requests, and drops those that are too many or too old.

  KEYS
    1  stream: the list
  ARGV
    1  most requests in the list
    2  retention, in ms
    3  1 if some of them may be in the list already, which are not added again; else 0
    4  and on, for each request: its id, its record

  Result
    { entry ids of the requests, in order; ids of the requests that were dropped }
]]
local stream, max, kept_ms = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
--- @include "../redis/clock.lua"
-- With its sequence number: without one, Redis takes a range's end as the last entry of its millisecond, and a trim's
-- as the first.
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
