-- Ends a reservation, "MONTH REQUEST-ID": 1 if it did, 0 if it had ended before.
local function end_reservation(reservations, months, reservation)
  if redis.call('ZREM', reservations, reservation) == 0 then return 0 end
  redis.call('HINCRBY', months, 'reserved:' .. string.sub(reservation, 1, 7), -1)
  return 1
end
