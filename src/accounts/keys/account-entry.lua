-- A key's entry in its account's sorted set, as account-keys.ts makes it. `ends` in ms, nil for a key without an end.
local function account_entry(ends, created, id)
  return string.format('%s-%015d-%s', ends and string.format('%015d', ends) or string.rep('9', 15), created, id)
end
