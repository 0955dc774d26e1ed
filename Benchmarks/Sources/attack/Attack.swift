/// Something that one client does to a server, while others want to use it.
protocol Attack: Sendable {
    /// Its name on the command line.
    static var name: String { get }
    /// What it does, in a few words.
    static var summary: String { get }
    /// The settings of the server that it attacks, as environment variables. None by default.
    static var settings: [String: String] { get }

    /// Prepares it: creates the sessions that it needs.
    init(against target: Target) throws

    /// Does it until the target says that it is over, or the server has ended.
    func run()

    /// Checks the harm that shows only at the end, while the server still runs.
    func judge()
}

extension Attack {
    static var settings: [String: String] { [:] }

    func judge() {}
}

/// The attacks there are.
enum Attacks {
    static let all: [any Attack.Type] = [
        DeepReplay.self, LongReplay.self, FullFork.self, UnreadExport.self, UnreadPage.self, UnreadStream.self,
        SlowReader.self, NewSession.self, SessionFlood.self, SameKey.self, SlowWaking.self, HalfClosed.self,
        HeldConnection.self, LargeImport.self, MalformedHead.self,
    ]

    /// The name of a round of attacks, which come at once.
    static func name(of attacks: [any Attack.Type]) -> String {
        switch attacks.count {
        case 0: "at rest"
        case all.count: "all at once"
        default: attacks.map { "`\($0.name)`" }.joined(separator: ", ")
        }
    }

    /// The settings for several attacks at once: of each setting the smallest value.
    static func settings(of attacks: [any Attack.Type]) -> [String: String] {
        attacks.reduce(into: [:]) { settings, attack in
            settings.merge(attack.settings) { (Int($0) ?? 0) < (Int($1) ?? 0) ? $0 : $1 }
        }
    }
}
