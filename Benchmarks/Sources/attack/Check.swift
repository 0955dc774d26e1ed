/// A refusal that a server owes its clients, tried once on a server of its own.
protocol Check: Sendable {
    /// Its name on the command line.
    static var name: String { get }
    /// What it tries, in a few words.
    static var summary: String { get }
    /// The settings of the server, as environment variables.
    static var settings: [String: String] { get }

    /// What the server did wrong. `nil` if the check passed.
    static func failure(of target: Target) throws -> String?
}

/// The checks there are.
enum Checks {
    static let all: [any Check.Type] = [StaleCookie.self, ForgedForwarding.self, ForeignExpect.self]

    /// A key for servers that need one.
    static let key = "the-right-key"
}
