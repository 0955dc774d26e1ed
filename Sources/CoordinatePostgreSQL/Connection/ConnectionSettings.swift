internal import CPostgreSQL
internal import CoordinateSessions
internal import Glibc
internal import Synchronization

/// The address of PostgreSQL and the settings to connect with: an address, and everything that libpq reads from
/// elsewhere: the environment, a service file, a password file.
struct ConnectionSettings: Sendable {
    /// libpq's parameters, by their keywords: https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-PARAMKEYWORDS
    private(set) var parameters: [String: String]
    /// Whether the server must accept writes.
    let isWriting: Bool
    /// The settings of each session on the server.
    let session: [(name: String, value: String)]
    private let password: String?
    /// The parameters that name one host each, if there are several.
    private let hosts: [[String: String]]
    private let first = FirstHost()

    /// The index of the host to begin with, shared by all connections.
    private final class FirstHost: Sendable {
        private let place = Atomic(0)

        var value: Int { place.load(ordering: .relaxed) }

        func move(from old: Int, to new: Int) {
            _ = place.compareExchange(expected: old, desired: new, ordering: .relaxed)
        }
    }

    /// - Parameters:
    ///   - address: `postgres://…` or `postgresql://…`.
    ///   - isWriting: Whether the server must accept changes.
    init(_ address: String, isWriting: Bool) throws(JournalOpeningError) {
        let explicit = try Self.parse(address)
        var parameters = explicit
        // While no request waits for a result, only the kernel notices that a server is gone.
        for (name, value) in [
            ("keepalives", "1"), ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "5000"), ("client_encoding", "UTF8"), ("fallback_application_name", "coordinate"),
        ] where parameters[name] == nil {
            parameters[name] = value
        }
        let resolved = try Self.resolve(parameters)
        let password = resolved["password"] ?? explicit["password"]
        self.password = password.flatMap { $0.isEmpty ? nil : $0 }
        hosts = Self.hosts(in: resolved)
        self.isWriting = isWriting
        // A standby may lack acknowledged changes, and an address may lead to one while it moves.
        if isWriting, explicit["target_session_attrs"] == nil, unsafe getenv("PGTARGETSESSIONATTRS") == nil {
            parameters["target_session_attrs"] = "read-write"
        }
        self.parameters = parameters
        session = Self.session(isWriting: isWriting)
    }

    /// The number of hosts to try.
    var hostCount: Int { max(1, hosts.count) }

    /// The index of the host to begin with. Beginning with one that does not respond would keep libpq from reaching the
    /// others.
    var firstHost: Int { first.value }

    /// Records that an attempt that began with a given host reached none, so that the next attempt begins with another.
    func recordFailure(beginningWith host: Int) {
        first.move(from: host, to: (host + 1) % hostCount)
    }

    /// Returns the parameters for an attempt to connect that begins with a given host.
    func parameters(beginningWith first: Int) -> [String: String] {
        guard hosts.count > 1 else { return parameters }
        let rotated = hosts[first...] + hosts[..<first]
        var parameters = parameters
        for name in ["host", "hostaddr", "port"] where rotated.contains(where: { $0[name] != nil }) {
            parameters[name] = rotated.map { $0[name] ?? "" }.joined(separator: ",")
        }
        return parameters
    }

    /// Returns a message in a form that may be shown: on one line, and without the password.
    func message(_ text: String) -> String {
        let open = if let password { text.replacing(password, with: "…") } else { text }
        let text = open.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return text.isEmpty ? "no reason was given" : text
    }

    /// The settings of every session on the server. A statement ends by itself before its client stops waiting, and so
    /// does a transaction whose client is gone. Plans that are made once stay right however large the tables become.
    private static func session(isWriting: Bool) -> [(name: String, value: String)] {
        [
            ("statement_timeout", "2500"), ("lock_timeout", "1000"), ("idle_in_transaction_session_timeout", "3000"),
            ("client_min_messages", "warning"), ("default_transaction_isolation", "read committed"),
            ("plan_cache_mode", "force_generic_plan"), ("enable_seqscan", "off"), ("enable_hashjoin", "off"),
            ("enable_mergejoin", "off"), ("enable_material", "off"), ("jit", "off"),
        ] + (isWriting ? [] : [("default_transaction_read_only", "on")])
    }

    // MARK: libpq

    private static func parse(_ address: String) throws(JournalOpeningError) -> [String: String] {
        let example = "such as postgres://user@host:5432/database"
        guard address.hasPrefix("postgres://") || address.hasPrefix("postgresql://") else {
            throw .badAddress("Not a PostgreSQL address. Write one \(example).")
        }
        var error: UnsafeMutablePointer<CChar>?
        guard let options = unsafe PQconninfoParse(address, &error) else {
            var reason = ""
            if let error = unsafe error {
                reason = unsafe String(cString: error)
                unsafe PQfreemem(error)
            }
            // The quoted text may be the password.
            let harmless = reason.prefix { $0 != "\"" && !$0.isNewline }.trimming { " :".contains($0) }
            throw .badAddress(
                "The PostgreSQL address cannot be read\(harmless.isEmpty ? "" : " (\(harmless))"). Write it "
                    + "\(example), and percent-encode special characters in the password.")
        }
        defer { unsafe PQconninfoFree(options) }
        return unsafe values(of: options)
    }

    /// Returns the parameters, completed by those that libpq reads from elsewhere.
    private static func resolve(
        _ parameters: [String: String]
    ) throws(JournalOpeningError) -> [String: String] {
        guard let connection = Connection.begin(parameters) else { return parameters }
        // libpq checks the values before it connects to a host. The text that it quotes may be part of a password.
        if let reason = connection.failure, reason.hasPrefix("invalid ") {
            let harmless = reason.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                .map { $0.offset % 2 == 0 ? $0.element : "…" }.joined(separator: "\"")
            throw .badAddress("The PostgreSQL address cannot be used: \(harmless.prefix { !$0.isNewline }).")
        }
        return connection.parameters
    }

    static func values(of options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
        var values: [String: String] = [:]
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe values[String(cString: keyword)] = String(cString: value)
            }
            unsafe option += 1
        }
        return values
    }

    private static func hosts(in parameters: [String: String]) -> [[String: String]] {
        func list(_ name: String) -> [Substring] {
            parameters[name].map { $0.split(separator: ",", omittingEmptySubsequences: false) } ?? []
        }
        let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        return (0..<max(names.count, addresses.count)).map { index in
            var host: [String: String] = [:]
            if index < names.count { host["host"] = String(names[index]) }
            if index < addresses.count { host["hostaddr"] = String(addresses[index]) }
            if let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : nil {
                host["port"] = String(port)
            }
            return host
        }
    }
}

extension Substring {
    fileprivate func trimming(_ isLeftOut: (Character) -> Bool) -> Substring {
        var text = self
        while let last = text.last, isLeftOut(last) { text.removeLast() }
        return text
    }
}
