--[[
  Writes an entry of the audit, and drops entries that are too many or too old. A gathering entry replaces its former
  version.

  KEYS
    1  stream: the entries
    2  hash: gathering entries, by subject; KEYS[1] again if the entry does not gather
  ARGV
    1  most entries
    2  retention, in ms
    3  how long an entry gathers after its first event, in ms; 0: not at all
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
