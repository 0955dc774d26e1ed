/// The rules for letting requests in: the key, the names of this server, other sites and proxies.
struct Access: Sendable {
    let hosts: Hosts
    let origins: Origins
    let proxies: TrustedProxies
    let cookies: CookieNames
    /// The API key; `nil` if there is none.
    let key: APIKey?
    /// The clients that are let in without the key.
    let clients: ClientAccess
    /// Whether only this machine can reach the server, unless another program forwards requests to it.
    let isOnLoopback: Bool
    let attempts = Attempts()

    /// - Parameter clients: The clients that are let in without the key; `nil` for the default.
    init(
        host: String, isOnLoopback: Bool, key: String, clients: ClientAccess?, hosts: [String], origins: [String],
        trustedProxies: [String],
        forwardingHeader: ForwardingHeader, cookieName: String
    ) throws(UnfitSetting) {
        self.hosts = try Hosts(hosts, listeningOn: host, isOnLoopback: isOnLoopback)
        self.origins = try Origins(origins)
        proxies = try TrustedProxies(trustedProxies, reportingIn: forwardingHeader)
        cookies = try CookieNames(cookieName)
        self.key = try APIKey(key)
        self.clients = clients ?? (self.key == nil ? .full : .none)
        guard self.key != nil || self.clients != .app else {
            throw UnfitSetting(
                """
                To let clients use the app only, the server needs an API key for its operator. Set COORDINATE_API_KEY, or \
                let clients in with "full"
                """, key: "security.clients", variable: "COORDINATE_CLIENTS")
        }
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
