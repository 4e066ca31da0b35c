--[[
  A file that began waits again.

  KEYS
    1  hash: the job   2  string: the account's waiting files
  ARGV
    1  number of the file   2  "1" if its failure is a surprise, else "0"
]]
local job, waiting, n = KEYS[1], KEYS[2], ARGV[1]

--- @include "file-state.lua"

if redis.call('HGET', job, n .. ':state') == 'running' then
  move_file(job, waiting, n, 'running', 'queued')
  redis.call('HINCRBY', job, n .. ':surprises', ARGV[2])
end
