--[[
  Sets and removes fields of an account that is there.

  KEYS
    1  hash: the account
  ARGV
    names of fields and their values in turn; "" removes a field

  Result
    1 if it did, 0 if there is no such account
]]
local account = KEYS[1]

if redis.call('HEXISTS', account, 'name') == 0 then return 0 end
for i = 1, #ARGV, 2 do
  if ARGV[i + 1] == '' then
    redis.call('HDEL', account, ARGV[i])
  else
    redis.call('HSET', account, ARGV[i], ARGV[i + 1])
  end
end
return 1
