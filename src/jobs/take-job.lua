--[[
  Takes a job and everything that it needs, or nothing: the quota of all its files, one of the account's open jobs, and its
  idempotency key. Everything of it is in the storage by then; nothing of it is queued.

  KEYS
    1  hash: the job
    2  sorted set: ids of the account's jobs
    3  sorted set: its open jobs
    4  string: its waiting files
    5  hash: its months
    6  sorted set: its reservations
    and with an idempotency key
    7  string: the job taken under the key
    8  string: the reservation of the last request under the key
  ARGV
    1  id   2  number of files   3  their state, "queued" or "running"
    4  how long its results are kept, in ms   5  how long the record is kept after that, in ms
    6  how long a reservation outlasts the results, in ms
    7  month of the reservations, YYYY-MM
    8  the reservation that its one file has, "MONTH ID", which is prolonged; "": each file gets its own. If they become one PDF, these
       are one reservation of several documents
    9  conversions that the plan has a month, "" for unlimited   10  open jobs that it has, "" for unlimited
    11  digest of its files and options, "" without an idempotency key   12  how long that key is kept, in ms
    13  the first id of the jobs whose records may be there
    14  "1" if its files become one PDF, else ""
    15 and on: further fields and values of the job

  Result
    { "taken", now in ms, files of the account that waited before }
    { "known", id of the job that was taken under the key }, { "reused" }: it was another job
    { "quota", conversions that are left }, { "jobs" }: the limit of open jobs is reached
]]
local job, jobs, open, waiting, months, reservations, known, reserved = unpack(KEYS)
local id, files, state = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local retention_ms, kept_ms, longer_ms = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local month, reservation, digest = ARGV[7], ARGV[8], ARGV[11]
local per_month, max_jobs = tonumber(ARGV[9]), tonumber(ARGV[10])

--- @include "../redis/clock.lua"
--- @include "../accounts/billing/end-reservation.lua"

if known then
  local former = redis.call('GET', known)
  local former_id, former_digest = string.match(former or '', '^(%S+) (%S+)')
  -- A deleted job is as good as none.
  if former_id and redis.call('EXISTS', string.sub(job, 1, -#id - 1) .. former_id) == 1 then
    if former_digest ~= digest then return { 'reused' } end
    return { 'known', former_id }
  end
end

redis.call('ZREMRANGEBYSCORE', open, '-inf', now)
if max_jobs and redis.call('ZCARD', open) >= max_jobs then return { 'jobs' } end

local deadline = now + retention_ms + longer_ms
if reservation == '' then
  for _, expired in ipairs(redis.call('ZRANGEBYSCORE', reservations, '-inf', now)) do
    end_reservation(reservations, months, expired)
  end
  local taken = redis.call('HMGET', months, 'used:' .. month, 'reserved:' .. month)
  local left = per_month and per_month - (taken[1] or 0) - (taken[2] or 0)
  if left and left < files then return { 'quota', math.max(0, left) } end
  for n = 1, files do
    local name = month .. ' ' .. id
    if n > 1 or ARGV[14] == '' then name = name .. '.' .. n end
    redis.call('ZADD', reservations, deadline, name)
  end
  redis.call('HINCRBY', months, 'reserved:' .. month, files)
else
  redis.call('ZADD', reservations, 'XX', deadline, reservation)
  if reserved and redis.call('GET', reserved) == reservation then
    -- Not for longer than its idempotency key is known: whoever used that again would end the job's reservation.
    redis.call('PEXPIRE', reserved, math.min(deadline - now, ARGV[12]))
  end
end

-- An account may have no jobs for long: its keys expire with its last job.
local life_ms = 2 * retention_ms + kept_ms
redis.call('HSET', job,
  'id', id, 'state', state, 'createdAt', now, 'expiresAt', now + retention_ms, 'retentionMs', retention_ms,
  'files', files, 'queued', 0, 'running', 0, 'succeeded', 0, 'failed', 0, 'canceled', 0, 'revision', 1)
redis.call('HSET', job, state, files, unpack(ARGV, 15))
if ARGV[14] ~= '' then redis.call('HSET', job, 'combine', ARGV[14], 'bill', id) end
for n = 1, files do redis.call('HSET', job, n .. ':state', state) end
if state == 'running' then redis.call('HSET', job, 'startedAt', now, '1:startedAt', now, '1:tries', 1) end
redis.call('PEXPIRE', job, life_ms)
redis.call('ZADD', jobs, 0, id)
redis.call('ZREMRANGEBYLEX', jobs, '-', '(' .. ARGV[13])
redis.call('PEXPIRE', jobs, life_ms)
redis.call('ZADD', open, now + retention_ms, id)
redis.call('PEXPIRE', open, life_ms)
local waited = tonumber(redis.call('GET', waiting) or 0)
if state == 'queued' then redis.call('INCRBY', waiting, files) end
if redis.call('EXISTS', waiting) == 1 then redis.call('PEXPIRE', waiting, life_ms) end
if known then
  redis.call('SET', known, id .. ' ' .. digest .. ' ' .. reservation, 'PX', ARGV[12])
  redis.call('HSET', job, 'known', known)
end
return { 'taken', now, waited }
