--[[
  Renews the claim of a request on its idempotency key.

  KEYS
    1  string: the id of the running request
  ARGV
    1  request id
    2  how long the claim lasts from now, in ms

  Result
    1 if it was renewed, 0 if the request no longer holds the key
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
