--[[
  Changes members and invitations, unless somebody else has since they were read.

  KEYS
    1  hash: the members, with their `version`
    2  hash: the account, if they are of one
  ARGV
    1  the version that was read, "" if there was none
    2  and on: ids and records in turn; "" removes a record

  Result
    "changed", "outdated", or "unknown" (there is no such account)
]]
local members, account = KEYS[1], KEYS[2]
if account and redis.call('EXISTS', account) == 0 then return 'unknown' end
if (redis.call('HGET', members, 'version') or '') ~= ARGV[1] then return 'outdated' end
for i = 2, #ARGV, 2 do
  if ARGV[i + 1] == '' then redis.call('HDEL', members, ARGV[i]) else redis.call('HSET', members, ARGV[i], ARGV[i + 1]) end
end
redis.call('HINCRBY', members, 'version', 1)
return 'changed'
