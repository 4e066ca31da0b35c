--[[
  Ends a file: one that is made succeeds, one that is not fails. The job ends with its last file.

  KEYS
    1  hash: the job   2  sorted set: the account's open jobs   3  string: its waiting files
  ARGV
    1  number of the file   2  its error, as JSON; "" if it succeeds

  Result
    { 1 if this call ended the file, else 0; 1 if it ended the job, else 0 }
]]
local job, open, waiting, n, failure = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2]

--- @include "../redis/clock.lua"
--- @include "file-state.lua"

local state = redis.call('HGET', job, n .. ':state')
if failure == '' then
  if state ~= 'made' then return { 0, 0 } end
  move_file(job, waiting, n, state, 'succeeded')
else
  if state ~= 'queued' and state ~= 'running' then return { 0, 0 } end
  move_file(job, waiting, n, state, 'failed')
  redis.call('HSET', job, n .. ':error', failure)
end
redis.call('HSET', job, n .. ':endedAt', now)
return { 1, end_job(job, open, waiting, now) }
