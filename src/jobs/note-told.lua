--[[
  Notes that the owner was told of a job's state.

  KEYS
    1  hash: the job
  ARGV
    1  the state

  Result
    1, or 0 if there is no such job
]]
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'told', ARGV[1])
return 1
