--[[
  Notes that a file's PDF is stored. Of several servers that made it, the first one's counts.

  KEYS
    1  hash: the job   2  string: the account's waiting files
  ARGV
    1  number of the file, or 0 for all that become one PDF   2  the result, as JSON

  Result
    1 if this is the result, 0 if there is another one or the file is no longer wanted
]]
local job, waiting, n = KEYS[1], KEYS[2], ARGV[1]

--- @include "file-state.lua"

local state = state_of(job, n)
if state ~= 'queued' and state ~= 'running' then return 0 end
for _, file in ipairs(files_of(job, n)) do move_file(job, waiting, file, state, 'made') end
redis.call('HSET', job, n .. ':result', ARGV[2])
return 1
