/// The rules for letting requests in: the key, the names of this server, other sites and proxies.
struct Access: Sendable {
    let hosts: Hosts
    let origins: Origins
    let proxies: TrustedProxies
    let cookies: CookieNames
    /// The API key; `nil` if every request is allowed.
    let key: APIKey?
    /// Whether only this machine can reach the server, unless another program forwards requests to it.
    let isOnLoopback: Bool
    let attempts = Attempts()

    init(
        host: String, isOnLoopback: Bool, key: String, hosts: [String], origins: [String], trustedProxies: [String],
        forwardingHeader: ForwardingHeader, cookieName: String
    ) throws(UnfitSetting) {
        self.hosts = try Hosts(hosts, listeningOn: host, isOnLoopback: isOnLoopback)
        self.origins = try Origins(origins)
        proxies = try TrustedProxies(trustedProxies, reportingIn: forwardingHeader)
        cookies = try CookieNames(cookieName)
        self.key = try APIKey(key)
        self.isOnLoopback = isOnLoopback
    }
}

/// An access setting that is not valid.
package struct UnfitSetting: Error {
    /// A sentence on what is wrong and where to correct it.
    let description: String

    init(_ reason: String, key: String, variable: String) {
        description = "\(reason): correct \(variable), or \"\(key)\" in the configuration file."
    }
}
