/// Who may ask, from where, and by which name.
struct Access: Sendable {
    let hosts: Hosts
    let origins: Origins
    let proxies: TrustedProxies
    /// Nil where everybody may do everything.
    let key: APIKey?
    /// True where only this machine can reach the server, unless somebody passes requests on.
    let isOnLoopback: Bool
    let attempts = Attempts()

    init(
        host: String, isOnLoopback: Bool, key: String, hosts: [String], origins: [String], trustedProxies: [String]
    ) throws(UnfitSetting) {
        self.hosts = try Hosts(hosts, listeningOn: host, isOnLoopback: isOnLoopback)
        self.origins = try Origins(origins)
        proxies = try TrustedProxies(trustedProxies)
        self.key = try APIKey(key)
        self.isOnLoopback = isOnLoopback
    }
}

/// A setting that says who may do what, and says something that cannot be.
struct UnfitSetting: Error {
    /// A sentence on what is wrong, and where it is to be corrected.
    let description: String

    init(_ reason: String, key: String, variable: String) {
        description = "\(reason): correct \(variable), or \"\(key)\" in the configuration file."
    }
}
