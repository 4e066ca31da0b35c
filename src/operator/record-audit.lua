--[[
  Writes an entry of the audit, and drops those that are too many or too old. What gathers takes the place of the entry
  that it had before.

  KEYS
    1  stream: the entries
    2  hash: the entry that gathers, by what it gathers; the same key again where none does
  ARGV
    1  how many entries it has at most
    2  how long they are kept, in ms
    3  how long an entry gathers from the first on, in ms; 0: none does
    4  and on: the fields of the entry, names and values in turn
]]
local stream, gathering = KEYS[1], KEYS[2]
local max, kept_ms, gather_ms = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
--- @include "../redis/clock.lua"

local fields = { unpack(ARGV, 4) }
if gather_ms > 0 then
  local former = redis.call('HGET', gathering, 'entry')
  if former then redis.call('XDEL', stream, former) end
  redis.call('HSETNX', gathering, 'since', now)
  local attempts = redis.call('HINCRBY', gathering, 'attempts', 1)
  if attempts == 1 then redis.call('PEXPIRE', gathering, gather_ms) end
  for _, field in ipairs({ 'attempts', attempts, 'since', redis.call('HGET', gathering, 'since') }) do
    fields[#fields + 1] = field
  end
end

local entry = redis.call('XADD', stream, 'MAXLEN', '=', max, '*', unpack(fields))
if gather_ms > 0 then redis.call('HSET', gathering, 'entry', entry) end
redis.call('XTRIM', stream, 'MINID', '=', string.format('%d-0', now - kept_ms))
redis.call('PEXPIRE', stream, kept_ms)
return entry
