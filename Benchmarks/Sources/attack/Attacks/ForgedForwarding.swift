import Loopback

/// Guesses keys through a proxy, and forges another client address each time, in a header that the proxy does not set.
struct ForgedForwarding: Check {
    static let name = "forged-forwarding"
    static let summary = "12 wrong keys through a proxy that sets X-Forwarded-For, each with another Forwarded header"
    static let settings = [
        "COORDINATE_API_KEY": Checks.key, "COORDINATE_TRUSTED_PROXIES": Target.attacker,
        "COORDINATE_FORWARDING_HEADER": "x-forwarded-for",
    ]

    static func failure(of target: Target) throws -> String? {
        let statuses = try (1...12).map { number in
            try target.connect().ask(
                HTTPText.get(
                    "/route",
                    headers: [
                        "Authorization: Bearer guess-\(number)", "Forwarded: for=198.51.100.\(number)",
                        "X-Forwarded-For: 203.0.113.7",
                    ])
            ).status
        }
        guard statuses.prefix(10).allSatisfy({ $0 == 401 }) else { return "\(statuses[0]) to a wrong key, not 401" }
        return statuses[11] == 429 ? nil : "\(statuses[11]) to the twelfth wrong key, not 429"
    }
}
