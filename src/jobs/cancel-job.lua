--[[
  Cancels the files of a job that have no PDF yet. The job is canceled with its last file.

  KEYS
    1  hash: the job   2  sorted set: the account's open jobs   3  string: its waiting files

  Result
    { state of the job before, or "" if there is none; numbers of the canceled files… }
]]
local job, open, waiting = KEYS[1], KEYS[2], KEYS[3]

--- @include "../redis/clock.lua"
--- @include "file-state.lua"

local before = redis.call('HMGET', job, 'state', 'files')
if not before[1] then return { '' } end
if before[1] ~= 'queued' and before[1] ~= 'running' then return { before[1] } end
redis.call('HSET', job, 'isCanceled', 1)
local canceled = {}
for n = 1, tonumber(before[2]) do
  local state = redis.call('HGET', job, n .. ':state')
  if state == 'queued' or state == 'running' then
    move_file(job, waiting, n, state, 'canceled')
    redis.call('HSET', job, n .. ':endedAt', now)
    table.insert(canceled, n)
  end
end
end_job(job, open, waiting, now)
return { before[1], unpack(canceled) }
