/// The limits on connections, and their distribution among clients.
///
/// A worker of libmicrohttpd that has reached its own limit accepts no connections, and new clients hang. So that limit
/// is never reached. There are reserve places beyond the regular ones: on them the server answers probes, and reports to
/// other clients that it is full.
struct ConnectionLimits: Sendable {
    /// The number of regular places.
    let regular: Int
    /// The number of places for clients without a regular one. The oldest such connection is closed to free a place.
    let reserve: Int
    /// The most open connections, including those being closed. Further connections are closed without an answer.
    let open: Int
    /// The addresses shared by many clients, such as proxies. They are not limited to a share.
    let unshared: [IPNetwork]

    init(regular: Int, unshared: [IPNetwork] = []) {
        self.regular = regular
        self.unshared = unshared
        reserve = Self.reserve(of: regular)
        open = Self.open(for: regular)
    }

    /// Creates the limits for the number of files that the system grants.
    init(granted: Int, wanted: Int, unshared: [IPNetwork]) {
        let affordable = granted < Self.open(for: wanted) ? max(1, granted - 2 * Self.reserve(of: granted)) : wanted
        self.init(regular: affordable, unshared: unshared)
    }

    /// The most of these places that one client may have. At least a quarter is left to others.
    static func share(of places: Int) -> Int {
        max(1, places - places / 4)
    }

    /// The number of files that a number of regular places needs.
    static func open(for regular: Int) -> Int {
        regular + 2 * reserve(of: regular)
    }

    private static func reserve(of regular: Int) -> Int {
        min(max(2, regular / 16), 128)
    }
}
