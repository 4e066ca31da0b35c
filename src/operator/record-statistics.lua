--[[
  Adds a server's counts to the common figures, once per batch, however often it is called.

  KEYS
    1  string: number of the last batch that this server wrote
    2  and on: hash: the figures of a time step, for each step of the batch
  ARGV
    1  the number of the batch
    2  retention of that number, in ms
    3  and on, for each step: when its figures expire (Unix seconds), how many fields follow, their names and counts in turn

  Result
    1, or 0 if this batch was written before
]]
local number = tonumber(ARGV[1])
if tonumber(redis.call('GET', KEYS[1]) or '0') >= number then return 0 end
redis.call('SET', KEYS[1], number, 'PX', ARGV[2])

local i = 3
for step = 2, #KEYS do
  local expires_at, fields = ARGV[i], tonumber(ARGV[i + 1])
  i = i + 2
  for _ = 1, fields do
    redis.call('HINCRBY', KEYS[step], ARGV[i], ARGV[i + 1])
    i = i + 2
  end
  redis.call('EXPIREAT', KEYS[step], expires_at)
end
return 1
