--[[
  Ends a file: one that is made succeeds, one that is not fails. The job ends with its last file.

  KEYS
    1  hash: the job   2  sorted set: the account's open jobs   3  string: its waiting files
  ARGV
    1  number of the file, or 0 for all that become one PDF   2  its error, as JSON; "" if it succeeds

  Result
    { 1 if this call ended the file, else 0; 1 if it ended the job, else 0 }
]]
local job, open, waiting, n, failure = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2]

--- @include "../redis/clock.lua"
--- @include "file-state.lua"

local state = state_of(job, n)
if failure == '' then
  if state ~= 'made' then return { 0, 0 } end
elseif state ~= 'queued' and state ~= 'running' then
  return { 0, 0 }
end
for _, file in ipairs(files_of(job, n)) do
  move_file(job, waiting, file, state, failure == '' and 'succeeded' or 'failed')
  redis.call('HSET', job, file .. ':endedAt', now)
  if failure ~= '' then redis.call('HSET', job, file .. ':error', failure) end
end
return { 1, end_job(job, open, waiting, now) }
