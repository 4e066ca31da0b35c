--[[
  Removes a job's record, and what was kept of its idempotency key: its name is in the record, and has the same hash tag.

  KEYS
    1  hash: the job   2  sorted set: ids of the account's jobs   3  sorted set: its open jobs
    4  string: its waiting files
  ARGV
    1  id

  Result
    1 if it did, 0 if there is no such job
]]
local job, jobs, open, waiting, id = KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1]

--- @include "file-state.lua"

local record = redis.call('HMGET', job, 'queued', 'known')
local queued, known = record[1], record[2]
if not queued then return 0 end
if known and string.sub(redis.call('GET', known) or '', 1, #id) == id then redis.call('DEL', known) end
redis.call('DEL', job)
redis.call('ZREM', jobs, id)
redis.call('DECRBY', waiting, queued)
close_job(open, waiting, id)
return 1
