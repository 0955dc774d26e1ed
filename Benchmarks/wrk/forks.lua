-- Repeats the request in a file, and writes the locations of the created sessions, one per line.
--
--     wrk -t1 -s forks.lua URL -- REQUEST PLACES

local text, places

function init(arguments)
    local file = assert(io.open(arguments[1], "rb"))
    text = file:read("*a")
    file:close()
    places = assert(io.open(arguments[2], "w"))
end

function request()
    return text
end

function response(status, headers)
    places:write(headers["Location"] or "", "\n")
end
