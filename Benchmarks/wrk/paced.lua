-- Sends the requests of a file, one after the other, again and again, so many a second. The byte 1 separates them.
--
--     wrk -t1 -s paced.lua URL -- FILE RATE
--
-- A request that is due goes over the next connection that is free; what is late is made up for. At its end it writes
-- the microseconds that half of the requests took at most, 99 % and 99.9 %.

local ffi = require("ffi")
ffi.cdef("typedef struct { long seconds, nanoseconds; } moment; int clock_gettime(int clock, moment *time);")

local requests, index = {}, 0
local moment, interval, due = ffi.new("moment"), 0, nil

-- Milliseconds of the clock that never jumps.
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
