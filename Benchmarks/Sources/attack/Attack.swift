/// Something that one client does to a server, while others want to use it.
protocol Attack: Sendable {
    /// Its name on the command line.
    static var name: String { get }
    /// What it does, in a few words.
    static var summary: String { get }

    /// Prepares it: makes the sessions that it needs.
    init(against target: Target) throws

    /// Does it until the target says that it is over, or the server has ended.
    func run()
}

/// The attacks there are.
enum Attacks {
    static let all: [any Attack.Type] = [
        DeepReplay.self, LongReplay.self, FullFork.self, UnreadExport.self, UnreadStream.self, NewSession.self,
        HeldConnection.self, LargeImport.self, MalformedHead.self,
    ]
}
