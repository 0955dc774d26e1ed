-- Repeats the requests in a file, one after the other, at a fixed rate per second. The byte 1 separates them.
--
--     wrk -t1 -s paced.lua URL -- FILE RATE
--
-- A request that is due uses the next free connection. Late requests are sent as soon as possible. At the end, it
-- writes the 50th, 99th and 99.9th percentiles in microseconds.

local ffi = require("ffi")
ffi.cdef("typedef struct { long seconds, nanoseconds; } moment; int clock_gettime(int clock, moment *time);")

local requests, index = {}, 0
local moment, interval, due = ffi.new("moment"), 0, nil

-- Returns the milliseconds of a clock that never jumps.
local function now()
    ffi.C.clock_gettime(1, moment)
    return tonumber(moment.seconds) * 1e3 + tonumber(moment.nanoseconds) * 1e-6
end

function init(arguments)
    local file = assert(io.open(arguments[1], "rb"))
    for request in file:read("*a"):gmatch("[^\1]+") do
        requests[#requests + 1] = request
    end
    file:close()
    interval = 1000 / tonumber(arguments[2])
end

function delay()
    local time = now()
    due = (due or time) + interval
    return math.max(0, due - time)
end

function request()
    index = index % #requests + 1
    return requests[index]
end

function done(summary, latency)
    io.write(string.format(
        "percentiles: %d %d %d\n", latency:percentile(50), latency:percentile(99), latency:percentile(99.9)))
end
