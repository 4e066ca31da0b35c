--[[
  Reserves the quota of a request's further documents, or nothing: the request was admitted with one, and its documents are counted
  once it has arrived. It has no reservation if it repeats another, and then gets none.

  KEYS
    1  hash: the account's months   2  sorted set: the account's reservations
  ARGV
    1  the request's reservation, "MONTH REQUEST-ID"   2  its documents, at least 1
    3  conversions a month, "" for unlimited

  Result
    conversions that are left for it if they are too few, else -1
]]
local months, reservations, reservation = KEYS[1], KEYS[2], ARGV[1]
local documents, per_month = tonumber(ARGV[2]), tonumber(ARGV[3])

--- @include "../../redis/clock.lua"
--- @include "../billing/end-reservation.lua"

local deadline = redis.call('ZSCORE', reservations, reservation)
-- Also if it has ended, as the script ran late: nothing would end the others.
if not deadline then return -1 end
for _, expired in ipairs(redis.call('ZRANGEBYSCORE', reservations, '-inf', now)) do
  end_reservation(reservations, months, expired)
end
local month = string.sub(reservation, 1, 7)
local taken = redis.call('HMGET', months, 'used:' .. month, 'reserved:' .. month)
-- Its own is among those that are taken.
local left = per_month and per_month - (taken[1] or 0) - (taken[2] or 0) + 1
if left and left < documents then return math.max(0, left) end
for n = 2, documents do redis.call('ZADD', reservations, deadline, reservation .. '.' .. n) end
redis.call('HINCRBY', months, 'reserved:' .. month, documents - 1)
return -1
