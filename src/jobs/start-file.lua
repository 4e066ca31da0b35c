--[[
  A server begins with a file, for the first time or again. This is a try, even if the server dies next.

  KEYS
    1  hash: the job   2  string: the account's waiting files   3  hash: the account
  ARGV
    1  number of the file, or 0 for all that become one PDF   2  most tries

  Result
    its state, "running", or another one, from which nothing begins: "made" (the PDF is there, and is to be billed),
    "succeeded", "failed", "canceled"; "held" (the account is suspended, and the file goes on waiting); "tried" (there were
    as many tries as there may be); "part" (it becomes a part of a PDF, and does not begin by itself); "" if there is no such job
]]
local job, waiting, account, n = KEYS[1], KEYS[2], KEYS[3], ARGV[1]

--- @include "../redis/clock.lua"
--- @include "file-state.lua"

local state = state_of(job, n)
if not state then return '' end
if state ~= 'queued' and state ~= 'running' then return state end
if state == 'queued' then
  local holding = redis.call('HMGET', account, 'suspendedAt', 'deletesAt')
  if holding[1] or holding[2] then return 'held' end
end
if n ~= '0' and redis.call('HGET', job, 'combine') then return 'part' end
local tries = n .. ':tries'
if tonumber(redis.call('HGET', job, tries) or 0) >= tonumber(ARGV[2]) then return 'tried' end
redis.call('HINCRBY', job, tries, 1)
if state == 'queued' then
  for _, file in ipairs(files_of(job, n)) do
    move_file(job, waiting, file, 'queued', 'running')
    redis.call('HSETNX', job, file .. ':startedAt', now)
  end
  if redis.call('HGET', job, 'state') == 'queued' then redis.call('HSET', job, 'state', 'running', 'startedAt', now) end
end
return 'running'
