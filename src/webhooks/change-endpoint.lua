--[[
  Changes an endpoint, if there is one. One that is enabled or disabled, or has another URL, begins anew.

  KEYS
    1  hash: the endpoint
  ARGV
    1  "1" to enable it, "0" to disable it, "" for neither   2  why it is disabled, "" if its account does it
    3 and on: fields and values

  Result
    1, or 0 if there is none
]]
local endpoint, enabled = KEYS[1], ARGV[1]

--- @include "../redis/clock.lua"

if redis.call('EXISTS', endpoint) == 0 then return 0 end
local url = redis.call('HGET', endpoint, 'url')
if #ARGV > 2 then redis.call('HSET', endpoint, unpack(ARGV, 3)) end
-- Failures of the former URL do not count for the new one.
if redis.call('HGET', endpoint, 'url') ~= url then redis.call('HDEL', endpoint, 'failingSince', 'failedAt') end
if enabled ~= '' and redis.call('HGET', endpoint, 'enabled') ~= enabled then
  redis.call('HDEL', endpoint, 'disabledReason', 'disabledAt', 'failingSince', 'failedAt')
  redis.call('HSET', endpoint, 'enabled', enabled)
  if enabled == '0' then redis.call('HSET', endpoint, 'disabledAt', now) end
  if ARGV[2] ~= '' then redis.call('HSET', endpoint, 'disabledReason', ARGV[2]) end
end
return 1
