--[[
  Admits or refuses a request, and takes everything that it needs, or nothing. The order of the checks is the order in
  which clients see their errors: key, origin, account, address, permission, rate windows, idempotency key, quota, features. The clock is
  that of Redis.

  A conversion claims its idempotency key. If another request runs under the key, it is refused, and counts in the rate
  windows. If a document was settled under the key, nothing is reserved, as a repetition is not billed. Nor is anything if a
  conversion under the key became a job that has not ended, which keeps the reservation. If the server of an earlier request
  died, its reservation is taken over, so that the conversion is billed once.

  KEYS
    1  hash: the key
    2  hash: its account
    3  hash: the rate windows (of the account, or of a test key and its successors). Those of an account never expire,
       as a clock that steps could otherwise open a window twice. Those of a key are kept for long enough.
    4  hash: the account's months
    5  sorted set: the account's reservations, "MONTH REQUEST-ID" by deadline in ms
    and for a conversion with an idempotency key
    6  string: the id of the request that runs under the key
    7  string: the document settled under the key
    8  string: the reservation of the last request under the key
    9  string: the job taken under the key, with the reservation that it got from a conversion
  ARGV
    1  bits of the client's address, "" if unknown
    2  the client's address, for the key's last use
    3  permission that the request needs, "" for none
    4  request id to reserve a conversion for, "" for none
    5  how long a reservation lasts, in ms
    6  JSON: limits by plan, { perSecond, perHour, perDay, perMonth }, each a number or null
    7  lease of an idempotency key, in ms
    8  names of the plans that lack a requested feature, separated by spaces, "" for none
    9  how long the rate windows are kept after their last day, in ms, "" for ever: those of an account
   10  "look" to check only the key, its origin, its account, its address and its permission, and to take and note nothing;
       else ""
   11  origin of the page that sent the request, "" if no page did

  Result, as JSON
    outcome     "admitted", "gone" (there is no such key), "unknown" (it is revoked), "expired", "origin", "suspended",
                "address", "permission", "plan", "rate", "running", "quota" or "feature"
    and, but for "gone", "unknown" and "expired"
    plan
    and, but for "plan"
    at          now, in ms
    month       "YYYY-MM"
    windows     { second, hour, day }, each { start, count }
    used        conversions used this month
    settled     document settled under the idempotency key, if there is one
    own         the fields of the account's own limits, if it has any
    isolation   "document" if each document of the account is to have a process of its own, "account" or left out if not
    jobDigest   digest of the document of the job that has the reservation, if one has
]]
local key, account, windows, months, reservations = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local running, done, reserved, job = KEYS[6], KEYS[7], KEYS[8], KEYS[9]
local address_bits, address, permission, request = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local reservation_ms, lease_ms, plans_without = tonumber(ARGV[5]), tonumber(ARGV[7]), ARGV[8]
local windows_ms, origin = ARGV[9], ARGV[11]

--- @include "../../redis/clock.lua"
--- @include "../../redis/window.lua"
--- @include "../billing/end-reservation.lua"

local SECOND, HOUR, DAY = 1, 3600, 86400

-- The calendar month of a day counted from 1970-01-01 (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms",
-- civil_from_days).
local function month_of(day)
  local shifted = day + 719468
  local era = math.floor(shifted / 146097)
  local day_of_era = shifted - era * 146097
  local year_of_era = math.floor(
    (day_of_era - math.floor(day_of_era / 1460) + math.floor(day_of_era / 36524) - math.floor(day_of_era / 146096)) / 365
  )
  local day_of_year = day_of_era - (365 * year_of_era + math.floor(year_of_era / 4) - math.floor(year_of_era / 100))
  local from_march = math.floor((5 * day_of_year + 2) / 153)
  local month = from_march < 10 and from_march + 3 or from_march - 9
  local year = year_of_era + era * 400 + (month <= 2 and 1 or 0)
  return string.format('%04d-%02d', year, month)
end

local function address_allowed(prefixes)
  if prefixes == '' then return true end
  if address_bits == '' then return false end
  for prefix in string.gmatch(prefixes, '%S+') do
    if string.sub(address_bits, 1, #prefix) == prefix then return true end
  end
  return false
end

local function origin_allowed(origins)
  if origin == '' then return true end
  for each in string.gmatch(origins, '%S+') do
    if each == origin then return true end
  end
  return false
end

local function named_window(name, length)
  local start, count = read_window(windows, name .. ':start', name .. ':count', length)
  return { name = name, start = start, count = count }
end

local function is_full(window, limit)
  return limit ~= cjson.null and window.count >= limit
end

local record = redis.call('HMGET', key, 'revokedAt', 'expiresAt', 'addressPrefixes', 'permissions', 'id', 'origins')
if not record[5] then return cjson.encode({ outcome = 'gone' }) end
if record[1] then return cjson.encode({ outcome = 'unknown' }) end
if record[2] and tonumber(record[2]) <= now then return cjson.encode({ outcome = 'expired' }) end

local own_names = { 'perSecond', 'perHour', 'perDay', 'perMonth', 'maxFilesPerJob', 'maxJobs' }
local own_fields = {}
for i, name in ipairs(own_names) do own_fields[i] = 'limit:' .. name end
local about = redis.call('HMGET', account, 'plan', 'suspendedAt', 'deletesAt', 'isolation', unpack(own_fields))
local plan = about[1] or ''
local limits = cjson.decode(ARGV[6])[plan]
if not limits then return cjson.encode({ outcome = 'plan', plan = plan }) end

-- Limits of the account's own, "VALUE FROM UNTIL", hold in place of those of its plan; those of test keys are all the same.
local own
if windows_ms == '' then
  local fields = {}
  for i, name in ipairs(own_names) do
    local text = about[4 + i]
    if text then
      local value, from, till = string.match(text, '^(%S+) (%S+) (%S+)$')
      local begins, ends = tonumber(from) or 0, tonumber(till) or math.huge
      if now >= begins and now < ends then limits[name] = tonumber(value) or cjson.null end
      fields[own_fields[i]] = text
    end
  end
  if next(fields) then own = fields end
end

local second, hour, day = named_window('second', SECOND), named_window('hour', HOUR), named_window('day', DAY)
local month = month_of(math.floor(seconds / DAY))

local settled, job_digest

local function result(outcome)
  return cjson.encode({
    outcome = outcome, plan = plan, at = now, month = month,
    windows = { second = second, hour = hour, day = day },
    used = tonumber(redis.call('HGET', months, 'used:' .. month) or 0),
    settled = settled, own = own, jobDigest = job_digest, isolation = about[4] or nil,
  })
end

local function count_request()
  for _, window in ipairs({ second, hour, day }) do
    window.count = window.count + 1
    redis.call('HSET', windows, window.name .. ':start', window.start, window.name .. ':count', window.count)
  end
  if windows_ms ~= '' and day.count == 1 then redis.call('PEXPIRE', windows, windows_ms) end
end

if not origin_allowed(record[6] or '') then return result('origin') end
if about[2] or about[3] then return result('suspended') end
if not address_allowed(record[3] or '') then return result('address') end
if permission ~= '' and not string.find(' ' .. (record[4] or '') .. ' ', ' ' .. permission .. ' ', 1, true) then
  return result('permission')
end
if ARGV[10] == 'look' then return result('admitted') end
redis.call('HSET', key, 'lastUsedAt', now, 'lastUsedAddress', address)

if is_full(second, limits.perSecond) or is_full(hour, limits.perHour) or is_full(day, limits.perDay) then
  return result('rate')
end

if running then
  if redis.call('EXISTS', running) == 1 then
    count_request()
    return result('running')
  end
  settled = redis.call('GET', done) or nil
end

local former = running and redis.call('GET', reserved)
local digest, of_job = string.match(former and redis.call('GET', job) or '', '^%S+ (%S+) (.+)')
local job_has_it = former and of_job == former
if job_has_it then job_digest = digest end
local reserves = request ~= '' and not settled and not job_has_it
if reserves then
  -- Reservations whose server died.
  for _, expired in ipairs(redis.call('ZRANGEBYSCORE', reservations, '-inf', now)) do
    end_reservation(reservations, months, expired)
  end
  if former then
    end_reservation(reservations, months, former)
    redis.call('DEL', reserved)
  end
  local taken = redis.call('HMGET', months, 'used:' .. month, 'reserved:' .. month)
  if limits.perMonth ~= cjson.null and (taken[1] or 0) + (taken[2] or 0) >= limits.perMonth then
    return result('quota')
  end
end

if string.find(' ' .. plans_without .. ' ', ' ' .. plan .. ' ', 1, true) then return result('feature') end

if reserves then
  if redis.call('ZADD', reservations, now + reservation_ms, month .. ' ' .. request) == 1 then
    redis.call('HINCRBY', months, 'reserved:' .. month, 1)
  end
  if running then redis.call('SET', reserved, month .. ' ' .. request, 'PX', reservation_ms) end
end

if running then redis.call('SET', running, request, 'PX', lease_ms) end
count_request()
return result('admitted')
