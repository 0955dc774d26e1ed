/// An attack by one client on a server that others use.
protocol Attack: Sendable {
    /// The attack's name on the command line.
    static var name: String { get }
    /// The attack in a few words.
    static var summary: String { get }
    /// The settings of the attacked server, as environment variables. None by default.
    static var settings: [String: String] { get }

    /// Prepares the attack: creates the sessions that it needs.
    init(against target: Target) throws

    /// Runs the attack until the target says that it is over, or the server has ended.
    func run()

    /// Checks for harm that shows only at the end, while the server still runs.
    func judge()
}

extension Attack {
    static var settings: [String: String] { [:] }

    func judge() {}
}

/// All attacks.
enum Attacks {
    static let all: [any Attack.Type] = [
        LongReplay.self, FullFork.self, LargeImport.self, SlowWaking.self, UnreadExport.self, SlowReader.self,
        SessionFlood.self, HeldConnection.self, MalformedHead.self,
    ]

    /// The name of a round of simultaneous attacks.
    static func name(of attacks: [any Attack.Type]) -> String {
        switch attacks.count {
        case 0: "at rest"
        case all.count: "all at once"
        default: attacks.map { "`\($0.name)`" }.joined(separator: ", ")
        }
    }

    /// The settings for several simultaneous attacks: the smallest value of each setting.
    static func settings(of attacks: [any Attack.Type]) -> [String: String] {
        attacks.reduce(into: [:]) { settings, attack in
            settings.merge(attack.settings) { (Int($0) ?? 0) < (Int($1) ?? 0) ? $0 : $1 }
        }
    }
}
