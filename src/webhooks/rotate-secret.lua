--[[
  Replaces a secret; the former one signs for some time.

  KEYS
    1  hash with the secret
  ARGV
    1  the new secret   2  how long the former one signs, in ms   3  "new" if the hash may be made

  Result
    1, or 0 if there is no hash
]]
--- @include "../redis/clock.lua"

local former = redis.call('HGET', KEYS[1], 'secret')
if not former and ARGV[3] ~= 'new' then return 0 end
if former then redis.call('HSET', KEYS[1], 'formerSecret', former, 'formerUntil', now + ARGV[2]) end
redis.call('HSET', KEYS[1], 'secret', ARGV[1])
return 1
