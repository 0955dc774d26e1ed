/// The limits on connections, and their distribution among clients.
///
/// At its limit a worker of libmicrohttpd accepts no connection, and new clients hang. So that limit is never reached:
/// there are places beyond the regular ones, on which a new client is told that the server is full, and probes are
/// answered.
struct ConnectionLimits: Sendable {
    /// The number of regular places.
    let regular: Int
    /// The most regular places of one client: a quarter is always left to others.
    let share: Int
    /// The number of places for clients that find no regular one. The connection that has been there longest makes way.
    let reserve: Int
    /// The most open connections, with those that are being closed. Above it new ones are closed without an answer.
    let open: Int
    /// The addresses that many clients share, and that are not limited to a share: proxies.
    let unshared: [IPNetwork]

    init(regular: Int, unshared: [IPNetwork] = []) {
        self.regular = regular
        self.unshared = unshared
        share = max(1, regular - regular / 4)
        reserve = Self.reserve(of: regular)
        open = Self.open(for: regular)
    }

    /// Makes the limits for the number of files that the system grants.
    init(granted: Int, wanted: Int, unshared: [IPNetwork]) {
        let affordable = granted < Self.open(for: wanted) ? max(1, granted - 2 * Self.reserve(of: granted)) : wanted
        self.init(regular: affordable, unshared: unshared)
    }

    /// The number of files that a number of regular places needs.
    static func open(for regular: Int) -> Int {
        regular + 2 * reserve(of: regular)
    }

    private static func reserve(of regular: Int) -> Int {
        min(max(2, regular / 16), 128)
    }
}
