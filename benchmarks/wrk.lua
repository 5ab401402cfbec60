-- Posts the lines of a file, one after the other, and writes down how each was answered.
--
--     wrk -t1 … -s wrk.lua URL -- BODIES ANSWERS
--
-- wrk's own times do not tell an answer from a refusal. The server sends the id of a request back: by it, every answer is
-- timed by itself.

local ffi = require("ffi")

ffi.cdef [[
    typedef struct { long seconds; int32_t microseconds; int32_t unused; } clock_reading;
    int gettimeofday(clock_reading *reading, void *zone);
]]

local reading = ffi.new("clock_reading")
local bodies, started = {}, {}
local asked = 0
local began, answers

local function now()
    ffi.C.gettimeofday(reading, nil)
    return tonumber(reading.seconds) * 1e6 + reading.microseconds
end

function init(arguments)
    for line in io.lines(arguments[1]) do
        bodies[#bodies + 1] = line
    end
    answers = assert(io.open(arguments[2], "w"))
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
    began = now()
end

function request()
    local id = "wrk-" .. asked
    wrk.headers["X-Request-ID"] = id
    local message = wrk.format(nil, nil, nil, bodies[asked % #bodies + 1])
    asked = asked + 1
    started[id] = now()
    return message
end

function response(status, headers)
    local found = {}
    for name, value in pairs(headers) do
        found[name:lower()] = value
    end
    local id, moment = found["x-request-id"], now()
    answers:write(table.concat({status, moment - began, moment - started[id], found["retry-after"] or "-"}, " "), "\n")
    started[id] = nil
end

function done(summary)
    local errors = summary.errors
    local failures = errors.connect + errors.read + errors.write + errors.timeout
    print(string.format('{"failures": %d}', failures))
end
