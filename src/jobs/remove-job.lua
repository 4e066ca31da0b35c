--[[
  Removes a job's record.

  KEYS
    1  hash: the job   2  sorted set: ids of the account's jobs   3  sorted set: its open jobs
    4  string: its waiting files
  ARGV
    1  id

  Result
    { 1, numbers of the files that had not ended… }, { 0 } if there is no such job
]]
local job, jobs, open, waiting, id = KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1]

--- @include "file-state.lua"

local record = redis.call('HMGET', job, 'files', 'queued')
if not record[1] then return { 0 } end
local unended = {}
for n = 1, tonumber(record[1]) do
  local counted = COUNTED[redis.call('HGET', job, n .. ':state')]
  if counted == 'queued' or counted == 'running' then table.insert(unended, n) end
end
redis.call('DEL', job)
redis.call('ZREM', jobs, id)
redis.call('DECRBY', waiting, record[2])
close_job(open, waiting, id)
return { 1, unpack(unended) }
