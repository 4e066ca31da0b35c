--[[
  Ends the time of a job's results, if it is over. Files that have not ended fail. The record stays for some time.

  KEYS
    1  hash: the job   2  sorted set: the account's open jobs   3  string: its waiting files
  ARGV
    1  the error of files that have not ended, as JSON
    2  how long the record is kept from now, in ms

  Result
    1 if the time is over, 0 if it is not or there is no such job
]]
local job, open, waiting, failure = KEYS[1], KEYS[2], KEYS[3], ARGV[1]

--- @include "../redis/clock.lua"
--- @include "file-state.lua"

local record = redis.call('HMGET', job, 'id', 'files', 'expiresAt', 'state')
if not record[1] or tonumber(record[3]) > now then return 0 end
if record[4] == 'expired' then return 1 end
for n = 1, tonumber(record[2]) do
  local state = redis.call('HGET', job, n .. ':state')
  if COUNTED[state] == 'queued' or COUNTED[state] == 'running' then
    move_file(job, waiting, n, state, 'failed')
    redis.call('HSET', job, n .. ':endedAt', now, n .. ':error', failure)
  end
end
redis.call('HSETNX', job, 'completedAt', now)
redis.call('HSET', job, 'state', 'expired')
redis.call('HDEL', job, 'secretsKey')
redis.call('HINCRBY', job, 'revision', 1)
redis.call('PEXPIRE', job, ARGV[2])
close_job(open, waiting, record[1])
return 1
