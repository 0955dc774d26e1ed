/// A refusal that the server must give, tested once on a separate server.
protocol Check: Sendable {
    /// The check's name on the command line.
    static var name: String { get }
    /// The check in a few words.
    static var summary: String { get }
    /// The settings of the server, as environment variables.
    static var settings: [String: String] { get }

    /// Returns what the server did wrong. `nil` if the check passed.
    static func failure(of target: Target) throws -> String?
}

/// All checks.
enum Checks {
    static let all: [any Check.Type] = [StaleCookie.self, ForgedForwarding.self, ForeignExpect.self]

    /// A key for servers that need one.
    static let key = "the-right-key"
}
