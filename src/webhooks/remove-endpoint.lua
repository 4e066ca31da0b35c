--[[
  Removes an endpoint and its deliveries.

  KEYS
    1  sorted set: ids of the owner's endpoints   2  hash: the endpoint   3  sorted set: its deliveries
    4  sorted set: those that are pending
  ARGV
    1  id

  Result
    1, or 0 if there is none
]]
for _, message in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do redis.call('DEL', KEYS[3] .. ':' .. message) end
redis.call('DEL', KEYS[3], KEYS[4])
redis.call('ZREM', KEYS[1], ARGV[1])
return redis.call('DEL', KEYS[2])
