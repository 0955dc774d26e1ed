import Coordinate
import CoordinatePostgreSQL
import CoordinateSQLite
import CoordinateSessions

/// Pages of sessions by an attribute, from a store without a server.
///
///     store-pages ADDRESS SESSIONS
///
/// ADDRESS is `sqlite:PATH` or `postgres://…`. The program creates sessions with an entry each. Then it writes the mean
/// time of a page of 20 sessions by an attribute, in microseconds, several times: one that 20 sessions have, and one that
/// all have, in turn.
@main
struct StorePages {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[2]), count >= pageSize else {
            fatalError("store-pages ADDRESS SESSIONS")
        }
        let journal = try open(arguments[1])
        defer { journal.close() }
        try await create(count, in: journal)
        for _ in 0..<5 { print(try await pageTime(count, in: journal)) }
    }

    private static func open(_ address: String) throws -> any Journal {
        let prefix = "sqlite:"
        guard address.hasPrefix(prefix) else { return try PostgreSQLJournal(address) }
        return try SQLiteJournal(path: String(address.dropFirst(prefix.count)))
    }

    /// Creates sessions with two attributes: one that 20 of them share, and one that all do.
    private static func create(_ count: Int, in journal: any Journal) async throws {
        // A queue of all of them would need much memory.
        for start in stride(from: 0, to: count, by: 10_000) {
            let created = (start..<min(count, start + 10_000)).map { number in
                let record = SessionRecord(
                    id: .random(), app: "Racing", appVersion: "1.0", createdAt: Timestamp(seconds: 1_795_253_400),
                    seed: 7, path: "/splash",
                    attributes: ["user": "\(number % max(1, count / pageSize))", "plan": "pro"])
                return Task.immediate {
                    try await journal.create(
                        record, with: [.favorite], until: Timestamp(seconds: 4_000_000_000 + number), limit: .max)
                }
            }
            for creation in created { try await creation.value }
        }
    }

    private static let pageSize = 20
    private static let pageCount = 2_000

    /// The mean time of a page of sessions by an attribute, in microseconds.
    private static func pageTime(_ count: Int, in journal: any Journal) async throws -> Double {
        let start = ContinuousClock.now
        for number in 0..<pageCount {
            let user = "\(Int.random(in: 0..<max(1, count / pageSize)))"
            let query = SessionQuery(
                app: "Racing", limit: pageSize, attributes: number.isMultiple(of: 2) ? ["user": user] : ["plan": "pro"])
            let page = try await journal.list(query)
            guard page.sessions.count == pageSize else { fatalError("a page has \(page.sessions.count) sessions") }
        }
        return start.duration(to: .now) / .microseconds(1) / Double(pageCount)
    }
}

extension JournalEntry {
    /// A client's entry that adds a team to the favorites.
    fileprivate static let favorite = JournalEntry(
        version: 1, time: Timestamp(seconds: 1_795_253_400), appVersion: "1.0", event: "teams.setFavorite",
        payload: .object([PlainField("team", .string("ferrari"))]),
        at: "AppCoordinator/MainCoordinator/TeamsCoordinator/TeamsDetailsCoordinator", isHandled: true,
        handledBy: "AppCoordinator/MainCoordinator", path: "/main/teams/team/ferrari")
}
