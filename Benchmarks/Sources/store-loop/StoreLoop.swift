import Coordinate
import CoordinatePostgreSQL
import CoordinateSQLite
import CoordinateSessions
import Foundation
import Synchronization

/// A store without a server: entries of the racing app, 64 of them always in progress.
///
///     store-loop ADDRESS SESSIONS SECONDS
///     store-loop ADDRESS SESSIONS pages
///
/// ADDRESS is `sqlite:PATH` or `postgres://…`. The program creates sessions with an entry each. Then it writes the
/// acknowledged entries per second, the mean size of a group and the mean time of a commit, in seconds. If SECONDS is
/// 0, it only creates the sessions. With `pages`, it writes the mean time of a page of 20 sessions by an attribute, in
/// microseconds, several times: one that 20 sessions have, and one that all have, in turn.
@main
struct StoreLoop {
    private static let clientCount = 64

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let count = Int(arguments[2]), count >= clientCount,
            let seconds = arguments[3] == "pages" ? 0 : Int(arguments[3])
        else { fatalError("store-loop ADDRESS SESSIONS SECONDS|pages") }
        let journal = try open(arguments[1])
        defer { journal.close() }
        let sessions = try await make(count, hasAttributes: arguments[3] == "pages", in: journal)
        if arguments[3] == "pages" {
            for _ in 0..<5 { print(try await pageTime(count, in: journal)) }
            return
        }
        guard seconds > 0 else { return }

        let clients = (0..<clientCount).map { number in
            Client(of: stride(from: number, to: count, by: clientCount).map { sessions[$0] }, in: journal)
        }
        let before = journal.statistics
        let start = ContinuousClock.now
        let work = clients.map { client in
            Task.immediate(executorPreference: InPlace()) { try await client.appendEntries() }
        }
        for _ in 0..<seconds {
            try await Task.sleep(for: .seconds(1))
            // Expires sessions, as a server does.
            journal.expire(by: Timestamp(seconds: Int(Date.now.timeIntervalSince1970)))
        }
        let appended = clients.reduce(0) { $0 + $1.count }
        let time = start.duration(to: .now)
        let after = journal.statistics
        for client in clients { client.end() }
        for work in work { try await work.value }
        let commits = Double(after.commits - before.commits)
        print(
            Int(Double(appended) / (time / .seconds(1))), Double(after.entries - before.entries) / commits,
            (after.commitTime - before.commitTime) / commits)
    }

    private static func open(_ address: String) throws -> any Journal {
        let prefix = "sqlite:"
        guard address.hasPrefix(prefix) else { return try PostgreSQLJournal(address) }
        return try SQLiteJournal(path: String(address.dropFirst(prefix.count)))
    }

    /// - Parameter hasAttributes: Whether the sessions have attributes: one that 20 of them share, and one that all do.
    private static func make(_ count: Int, hasAttributes: Bool, in journal: any Journal) async throws -> [SessionID] {
        var sessions: [SessionID] = []
        // A queue of all of them would need much memory.
        while sessions.count < count {
            let created = (sessions.count..<min(count, sessions.count + 10_000)).map { number in
                let record = SessionRecord(
                    id: .random(), app: "Racing", appVersion: "1.0", createdAt: Timestamp(seconds: 1_795_253_400),
                    seed: 7, path: "/splash",
                    attributes: hasAttributes ? ["user": "\(number % max(1, count / pageSize))", "plan": "pro"] : [:])
                sessions.append(record.id)
                return Task.immediate {
                    try await journal.create(
                        record, with: [.favorite(version: 1)], until: Timestamp(seconds: 4_000_000_000 + number),
                        limit: .max)
                }
            }
            for creation in created { try await creation.value }
        }
        return sessions
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

/// A client that appends one entry after the other, to some sessions in turn.
private final class Client: Sendable {
    private let sessions: [SessionID]
    private let journal: any Journal
    private let appended = Atomic(0)
    private let isEnding = Atomic(false)

    /// - Parameter sessions: Sessions with one entry each. No other client appends to them.
    init(of sessions: [SessionID], in journal: any Journal) {
        self.sessions = sessions
        self.journal = journal
    }

    /// The number of acknowledged entries.
    var count: Int { appended.load(ordering: .relaxed) }

    /// Appends entries until ``end()``. Throws if one is refused.
    func appendEntries() async throws {
        while !isEnding.load(ordering: .relaxed) {
            let count = count
            let (turn, place) = count.quotientAndRemainder(dividingBy: sessions.count)
            let mark = journal.losesAnswers ? UInt64(count) : nil
            try await journal.append(.favorite(version: turn + 2, mark: mark), to: sessions[place])
            appended.add(1, ordering: .relaxed)
        }
    }

    func end() { isEnding.store(true, ordering: .relaxed) }
}

/// An executor whose tasks continue on the store's thread, so that the measurement includes no switch of threads.
private final class InPlace: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
}

extension JournalEntry {
    /// A client's entry that adds a team to the favorites.
    fileprivate static func favorite(version: Int, mark: UInt64? = nil) -> JournalEntry {
        JournalEntry(
            version: version, time: Timestamp(seconds: 1_795_253_400), appVersion: "1.0", event: "teams.setFavorite",
            payload: .object([PlainField("team", .string("ferrari"))]),
            at: "AppCoordinator/MainCoordinator/TeamsCoordinator/TeamsDetailsCoordinator", isHandled: true,
            handledBy: "AppCoordinator/MainCoordinator", path: "/main/teams/team/ferrari", mark: mark)
    }
}
