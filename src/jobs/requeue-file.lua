--[[
  A file that began waits again.

  KEYS
    1  hash: the job   2  string: the account's waiting files
  ARGV
    1  number of the file, or 0 for all that become one PDF   2  "1" if that was a try, else "0"
]]
local job, waiting, n = KEYS[1], KEYS[2], ARGV[1]

--- @include "file-state.lua"

if state_of(job, n) == 'running' then
  for _, file in ipairs(files_of(job, n)) do move_file(job, waiting, file, 'running', 'queued') end
  if ARGV[2] == '0' then redis.call('HINCRBY', job, n .. ':tries', -1) end
end
