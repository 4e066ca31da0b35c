--[[
  Notes what a file's document is.

  KEYS
    1  hash: the job
  ARGV
    1  number of the file   2  what is known of it, as JSON
]]
local job, about = KEYS[1], ARGV[1] .. ':about'

-- A deleted job stays so.
if redis.call('HEXISTS', job, about) == 1 then
  redis.call('HSET', job, about, ARGV[2])
  redis.call('HINCRBY', job, 'revision', 1)
end
