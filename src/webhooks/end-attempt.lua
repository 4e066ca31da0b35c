--[[
  Notes an attempt to deliver, and what it says of the endpoint, which may end as disabled.

  KEYS
    1  sorted set: deliveries of the endpoint   2  hash: the delivery   3  sorted set: those that are pending
    4  hash: the endpoint; there is none for a job's URL
  ARGV
    1  id of the message   2  the run to which the attempt belongs
    3  the attempt, as JSON; "": none was made
    4  "delivered", "failed", or "gone" for a failure after which no attempt is to follow
    5  time of the next attempt, in ms; "": there is none
    6  attempts that are kept   7  how long the delivery is kept, in ms
    8  the URL   9  how long an endpoint may fail, in ms   10  time without a failure after which it fails anew, in ms
    11  the beginning of the body that came back

  Result
    "delivered", "pending", "failed", or "disabled" if this call disabled the endpoint
]]
local list, delivery, pending, endpoint = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local message, run, attempt, outcome, next_at, url = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[8]

--- @include "../redis/clock.lua"

local disabled = false
-- The result does not count for a URL that was changed since.
if attempt ~= '' and redis.call('HGET', endpoint, 'url') == url then
  if outcome == 'delivered' then
    redis.call('HDEL', endpoint, 'failingSince', 'failedAt')
  else
    local failed_at = tonumber(redis.call('HGET', endpoint, 'failedAt') or 0)
    if now - failed_at > tonumber(ARGV[10]) then redis.call('HSET', endpoint, 'failingSince', now) end
    redis.call('HSET', endpoint, 'failedAt', now)
    local is_failing = now - redis.call('HGET', endpoint, 'failingSince') >= tonumber(ARGV[9])
    if (outcome == 'gone' or is_failing) and redis.call('HGET', endpoint, 'enabled') == '1' then
      redis.call('HSET', endpoint, 'enabled', 0, 'disabledReason', outcome == 'gone' and 'gone' or 'failing', 'disabledAt', now)
      disabled = true
    end
  end
end

local state = outcome == 'delivered' and 'delivered' or 'failed'
if outcome == 'failed' and next_at ~= '' and not disabled then state = 'pending' end
local known_run = redis.call('HGET', delivery, 'run')
-- Deleted while it was on its way.
if not known_run then return disabled and 'disabled' or state end
if attempt ~= '' then
  local number = redis.call('HINCRBY', delivery, 'attempts', 1)
  redis.call('HSET', delivery, 'attempt:' .. number, attempt, 'answer', ARGV[11])
  redis.call('HDEL', delivery, 'attempt:' .. (number - ARGV[6]))
end
-- Else it is being sent again.
if known_run == run then
  redis.call('HSET', delivery, 'state', state)
  if state == 'pending' then
    redis.call('HSET', delivery, 'nextAttemptAt', next_at)
    redis.call('HINCRBY', delivery, 'step', 1)
    redis.call('PEXPIRE', delivery, ARGV[7])
    redis.call('ZADD', pending, now, message)
    redis.call('PEXPIRE', pending, ARGV[7])
    if redis.call('PTTL', list) < tonumber(ARGV[7]) then redis.call('PEXPIRE', list, ARGV[7]) end
  else
    redis.call('HDEL', delivery, 'nextAttemptAt')
    redis.call('ZREM', pending, message)
    -- It was dropped from the list.
    if not redis.call('ZSCORE', list, message) then redis.call('DEL', delivery) end
  end
end
return disabled and 'disabled' or state
