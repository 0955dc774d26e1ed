import Loopback

/// Something that one client does to a server, while others want to use it.
protocol Attack: Sendable {
    /// Its name on the command line.
    static var name: String { get }
    /// What it does, in a few words.
    static var summary: String { get }

    init()

    /// Does it until it is over. Every connection is to come from ``Target/attacker``.
    func run(against target: Target) throws
}

/// The attacks there are.
enum Attacks {
    static let all: [any Attack.Type] = [DeepReplay.self]
}
