--[[
  Counts the bytes of a document that was fetched for a job, unless they are too many with those of its other documents. A
  document that is fetched again counts once.

  KEYS
    1  hash: bytes by the number of the file
  ARGV
    1  number of the file   2  its bytes   3  most bytes of all   4  how long they are known, in ms

  Result
    1, or 0 if they are too many
]]
redis.call('HDEL', KEYS[1], ARGV[1])
local bytes = tonumber(ARGV[2])
for _, others in ipairs(redis.call('HVALS', KEYS[1])) do bytes = bytes + others end
if bytes > tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
