--[[
  A file that began waits again.

  KEYS
    1  hash: the job   2  string: the account's waiting files
  ARGV
    1  number of the file   2  "1" if that was a try, else "0"
]]
local job, waiting, n = KEYS[1], KEYS[2], ARGV[1]

--- @include "file-state.lua"

if redis.call('HGET', job, n .. ':state') == 'running' then
  move_file(job, waiting, n, 'running', 'queued')
  if ARGV[2] == '0' then redis.call('HINCRBY', job, n .. ':tries', -1) end
end
