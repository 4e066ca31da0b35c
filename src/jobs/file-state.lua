-- States of a job's files. A file that is "made" has its PDF stored and is about to be billed: it counts as running, and can
-- only succeed from there.
local COUNTED = {
  queued = 'queued', running = 'running', made = 'running',
  succeeded = 'succeeded', failed = 'failed', canceled = 'canceled',
}

-- The numbers of what has one state: file n; or all files, which become one PDF, if n is 0.
local function files_of(job, n)
  if tonumber(n) ~= 0 then return { n } end
  local files = {}
  for each = 1, tonumber(redis.call('HGET', job, 'files') or 0) do files[each] = each end
  return files
end

local function state_of(job, n) return redis.call('HGET', job, math.max(1, tonumber(n)) .. ':state') end

-- Moves file n to a state, and keeps the counts of its job and of its account's waiting files.
local function move_file(job, waiting, n, from, to)
  redis.call('HSET', job, n .. ':state', to)
  redis.call('HINCRBY', job, 'revision', 1)
  if COUNTED[from] == COUNTED[to] then return end
  redis.call('HINCRBY', job, COUNTED[from], -1)
  redis.call('HINCRBY', job, COUNTED[to], 1)
  if from == 'queued' then redis.call('DECR', waiting) end
  if to == 'queued' then redis.call('INCR', waiting) end
end

local function close_job(open, waiting, id)
  redis.call('ZREM', open, id)
  -- Whatever went wrong before, the count begins anew.
  if redis.call('ZCARD', open) == 0 then redis.call('DEL', waiting) end
end

-- Ends the job if all its files have ended: 1 if it did, else 0.
local function end_job(job, open, waiting, now)
  local record = redis.call('HMGET', job, 'id', 'queued', 'running', 'isCanceled', 'retentionMs')
  if tonumber(record[2]) + tonumber(record[3]) > 0 then return 0 end
  redis.call('HSET', job, 'state', record[4] and 'canceled' or 'completed', 'completedAt', now,
    'expiresAt', now + record[5])
  redis.call('HDEL', job, 'secretsKey')
  close_job(open, waiting, record[1])
  return 1
end
