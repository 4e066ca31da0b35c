--[[
  Ends the reservation of a conversion. If its PDF was made, each of its documents becomes one use, one ledger entry (if billed)
  and a part of the figures of its day and its key. Otherwise it is released, and a failure is counted. Settling again changes nothing.

  A conversion counts even if its reservation has expired, as a Redis that hung may receive the command late. It does
  not count if the same document was settled under the same idempotency key: when a server dies or loses Redis, two
  requests can run under one key, and the first that settles counts.

  KEYS
    1  hash: the account's months
    2  sorted set: the account's reservations
    3  set: the settled requests of the month
    4  stream: the ledger of the month
    5  hash: the figures of the month by day
    6  hash: the figures of the month by key
    and for a conversion with an idempotency key
    7  string: the id of the request that runs under the key
    8  string: the document settled under the key
    9  string: the reservation of the last request under the key
  ARGV
    1  request id
    2  month of the reservation, YYYY-MM
    3  day of the month, DD
    4  "converted", the code of the failure, or "" for neither (the client left)
    5  expiration of the month's records, and   6  of the ids of its requests, in Unix seconds
    7  after "converted": pages   8  bytes in   9  bytes out
    10  the document, "" without an idempotency key   11  how long the key is kept, in ms
    12  "billed" for an entry in the ledger, or ""
    13  the id of the key   14  how many keys of a month are counted apart
    15  how many documents the PDF has, at least 1
    16 and on: the fields and values of each one's entry

  Result
    conversions of the month if this call counted any, else 0; of a release: 1 if it ended something, else 0
]]
local months, reservations, settled, ledger, days = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local keys, running, done, reserved = KEYS[6], KEYS[7], KEYS[8], KEYS[9]
local request, month, day, outcome, expires_at = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

--- @include "end-reservation.lua"

local function end_own_reservation()
  local reservation = month .. ' ' .. request
  if reserved and redis.call('GET', reserved) == reservation then redis.call('DEL', reserved) end
  return end_reservation(reservations, months, reservation)
end

local function end_claim()
  if not running or redis.call('GET', running) ~= request then return 0 end
  return redis.call('DEL', running)
end

local function add_to_day(field, amount)
  redis.call('HINCRBY', days, day .. ':' .. field, amount)
  redis.call('EXPIREAT', days, expires_at)
end

-- Of a key that is one too many, the figures are those of the key ''.
local function add_to_key(key, documents, pages)
  local is_new = redis.call('HEXISTS', keys, key .. ':conversions') == 0
  if is_new and redis.call('HLEN', keys) >= 2 * tonumber(ARGV[14]) then key = '' end
  redis.call('HINCRBY', keys, key .. ':conversions', documents)
  redis.call('HINCRBY', keys, key .. ':pages', pages)
  redis.call('EXPIREAT', keys, expires_at)
end

if outcome ~= 'converted' then
  local ended = math.max(end_own_reservation(), end_claim())
  if ended == 1 and outcome ~= '' then add_to_day('failures:' .. outcome, 1) end
  return ended
end

-- Nothing may fail once the first command has written.
for _, i in ipairs({ 7, 8, 9, 15 }) do
  if not string.find(ARGV[i], '^%d+$') then return redis.error_reply('ERR not a count: ' .. ARGV[i]) end
end
local documents = tonumber(ARGV[15])
if redis.call('SADD', settled, request) == 0 then return 0 end
redis.call('EXPIREAT', settled, ARGV[6])
end_own_reservation()
end_claim()
if done then
  local known = redis.call('GET', done)
  if known == ARGV[10] then return 0 end
  if not known then redis.call('SET', done, ARGV[10], 'PX', ARGV[11]) end
end
local used = redis.call('HINCRBY', months, 'used:' .. month, documents)
add_to_day('conversions', documents)
add_to_day('pages', ARGV[7])
add_to_day('bytesIn', ARGV[8])
add_to_day('bytesOut', ARGV[9])
add_to_key(ARGV[13], documents, ARGV[7])
if ARGV[12] == 'billed' then
  local width = (#ARGV - 15) / documents
  for n = 0, documents - 1 do redis.call('XADD', ledger, '*', unpack(ARGV, 16 + n * width, 15 + (n + 1) * width)) end
  redis.call('EXPIREAT', ledger, expires_at)
end
return used
