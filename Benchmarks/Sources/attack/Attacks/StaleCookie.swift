import Loopback

/// Sends a login cookie of an older key more often than wrong keys are allowed, and then the right key.
struct StaleCookie: Check {
    static let name = "stale-cookie"
    static let summary = "12 requests with a login cookie of an older key, and then the right key, or two cookies"
    static let settings = ["COORDINATE_API_KEY": Checks.key]

    private static let stale = "coordinate-login=4102444800.0123456789abcdef.\(String(repeating: "0", count: 64))"

    static func failure(of target: Target) throws -> String? {
        for _ in 0..<12 {
            let stale = try status(target, ["Cookie: \(stale)"])
            guard stale >= 400 else { return "\(stale) for a stale cookie" }
        }
        let right = try status(target, ["Authorization: Bearer \(Checks.key)"])
        guard right == 200 else { return "\(right) for the right key after stale cookies" }
        let login = try target.connect().ask(HTTPText.post("/login", #"{"key": "\#(Checks.key)"}"#))
        guard let valid = login.header("Set-Cookie")?.split(separator: ";").first else {
            return "\(login.status) for a login"
        }
        for cookies in ["\(stale); \(valid)", "\(valid); \(stale)"] {
            let both = try status(target, ["Cookie: \(cookies)"])
            guard both == 200 else { return "\(both) for a valid cookie beside a stale one" }
        }
        return nil
    }

    private static func status(_ target: Target, _ headers: [String]) throws -> Int {
        try target.connect().ask(HTTPText.get("/route", headers: headers)).status
    }
}
