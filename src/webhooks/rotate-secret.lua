--[[
  Replaces a secret; each former one signs for some time, also if the secret is replaced again meanwhile.

  KEYS
    1  hash with the secret
  ARGV
    1  the new secret   2  how long the former one signs, in ms   3  "new" if the hash may be made
    4  most former ones that sign

  Result
    1, or 0 if there is no hash
]]
--- @include "../redis/clock.lua"

local former = redis.call('HGET', KEYS[1], 'secret')
if not former and ARGV[3] ~= 'new' then return 0 end
if former then
  local formers = { former .. ' ' .. (now + ARGV[2]) }
  for each, signs_until in string.gmatch(redis.call('HGET', KEYS[1], 'formers') or '', '(%S+) (%S+)') do
    if tonumber(signs_until) > now and #formers < tonumber(ARGV[4]) then table.insert(formers, each .. ' ' .. signs_until) end
  end
  redis.call('HSET', KEYS[1], 'formers', table.concat(formers, ' '))
end
redis.call('HSET', KEYS[1], 'secret', ARGV[1])
return 1
