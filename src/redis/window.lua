-- When the window began that the clock's seconds lie in, and what it has counted. Windows are aligned to their
-- length, in seconds. After a step back of the clock it is the window that was the last before: no window opens twice.
local function read_window(hash, start_field, count_field, length)
  local start = seconds - seconds % length
  local known = redis.call('HMGET', hash, start_field, count_field)
  local known_start = tonumber(known[1] or -1)
  if known_start >= start then return known_start, tonumber(known[2]) end
  return start, 0
end
