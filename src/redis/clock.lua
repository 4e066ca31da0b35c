-- The clock of Redis: Unix time in whole seconds, and in ms.
local time = redis.call('TIME')
local seconds = tonumber(time[1])
local now = seconds * 1000 + math.floor(tonumber(time[2]) / 1000)
