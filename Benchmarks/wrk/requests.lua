-- Repeats the requests in a file, one after the other. The byte 1 separates them.
--
--     wrk -s requests.lua URL -- FILE

local requests, index = {}, 0

function init(arguments)
    local file = assert(io.open(arguments[1], "rb"))
    for request in file:read("*a"):gmatch("[^\1]+") do
        requests[#requests + 1] = request
    end
    file:close()
end

function request()
    index = index % #requests + 1
    return requests[index]
end
