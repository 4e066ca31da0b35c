--[[
  Renews the claim of a request on its idempotency key.

  KEYS
    1  string: the id of the request that runs under the key
  ARGV
    1  request id
    2  how long the claim lasts from now, in ms

  Result
    1 when it was renewed, 0 when the request holds the key no more
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
