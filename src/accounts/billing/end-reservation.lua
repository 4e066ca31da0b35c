-- Ends a reservation, "MONTH REQUEST-ID", with those of the request's further documents, "MONTH REQUEST-ID.2" and on: 1 if it did, 0
-- if it had ended before.
local function end_reservation(reservations, months, reservation)
  local ended, further = redis.call('ZREM', reservations, reservation), 2
  while redis.call('ZREM', reservations, reservation .. '.' .. further) == 1 do
    ended, further = ended + 1, further + 1
  end
  if ended == 0 then return 0 end
  redis.call('HINCRBY', months, 'reserved:' .. string.sub(reservation, 1, 7), -ended)
  return 1
end
