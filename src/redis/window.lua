-- Start and count of the window at this time, aligned to its length in seconds. If the clock stepped back, the last
-- window before continues: no window opens twice.
local function read_window(hash, start_field, count_field, length)
  local start = seconds - seconds % length
  local known = redis.call('HMGET', hash, start_field, count_field)
  local known_start = tonumber(known[1] or -1)
  if known_start >= start then return known_start, tonumber(known[2]) end
  return start, 0
end
