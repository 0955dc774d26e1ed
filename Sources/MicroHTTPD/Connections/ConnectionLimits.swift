/// How many connections there may be, and how they are shared out.
///
/// Past its limit a worker of libmicrohttpd accepts nobody, and newcomers hang. So it is never let come to its own: there
/// are places beyond the regular ones, from which a newcomer is told that the server is full, and probes are answered.
struct ConnectionLimits: Sendable {
    /// The regular places.
    let regular: Int
    /// What one client may have of them: a quarter is always left to others.
    let share: Int
    /// The places of those who come when there is no regular one. Whoever has been there longest makes way.
    let reserve: Int
    /// The most that are open, with those that are just being closed. Past it newcomers are closed without a word.
    let open: Int
    /// Peers that many clients share, and that have no share themselves: proxies.
    let unshared: [IPNetwork]

    init(regular: Int, unshared: [IPNetwork] = []) {
        self.regular = regular
        self.unshared = unshared
        share = max(1, regular - regular / 4)
        reserve = Self.reserve(of: regular)
        open = Self.open(for: regular)
    }

    /// As many as the system grants files for.
    init(granted: Int, wanted: Int, unshared: [IPNetwork]) {
        let affordable = granted < Self.open(for: wanted) ? max(1, granted - 2 * Self.reserve(of: granted)) : wanted
        self.init(regular: affordable, unshared: unshared)
    }

    /// The files that so many regular places need.
    static func open(for regular: Int) -> Int {
        regular + 2 * reserve(of: regular)
    }

    private static func reserve(of regular: Int) -> Int {
        min(max(2, regular / 16), 128)
    }
}
