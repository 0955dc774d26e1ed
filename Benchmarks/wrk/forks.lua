-- Sends the request of a file again and again, and writes down where the sessions are that it makes, one a line.
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
