import Coordinate
import CoordinatePostgreSQL
import CoordinateSQLite
import CoordinateSessions
import Foundation
import Synchronization

/// A store without a server: entries of the racing app, 64 of them always in progress.
///
///     store-loop ADDRESS SESSIONS SECONDS
///
/// ADDRESS is `sqlite:PATH` or `postgres://…`. The program creates sessions with an entry each. Then it writes the
/// acknowledged entries per second, the mean size of a group and the mean time of a commit, in seconds. If SECONDS is
/// 0, it only creates the sessions.
@main
struct StoreLoop {
    private static let clientCount = 64

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let count = Int(arguments[2]), count >= clientCount, let seconds = Int(arguments[3])
        else { fatalError("store-loop ADDRESS SESSIONS SECONDS") }
        let journal = try open(arguments[1])
        defer { journal.close() }
        let sessions = try await make(count, in: journal)
        guard seconds > 0 else { return }

        let clients = (0..<clientCount).map { number in
            Client(of: stride(from: number, to: count, by: clientCount).map { sessions[$0] }, in: journal)
        }
        let before = journal.statistics
        let start = ContinuousClock.now
        for client in clients { client.begin() }
        for _ in 0..<seconds {
            try await Task.sleep(for: .seconds(1))
            // Expires sessions, as a server does.
            journal.expire(by: Timestamp(seconds: Int(Date.now.timeIntervalSince1970)))
        }
        let appended = clients.reduce(0) { $0 + $1.count }
        let time = start.duration(to: .now)
        let after = journal.statistics
        for client in clients { try await client.end() }
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

    private static func make(_ count: Int, in journal: any Journal) async throws -> [SessionID] {
        let sessions = (0..<count).map { _ in SessionID.random() }
        let created = sessions.map { session in
            journal.create(
                SessionRecord(
                    id: session, app: "Racing", appVersion: "1.0", createdAt: Timestamp(seconds: 1_795_253_400),
                    seed: 7, path: "/splash"),
                with: [.favorite(version: 1)], until: Timestamp(seconds: 4_000_000_000), limit: .max)
        }
        for future in created { try await future.value }
        return sessions
    }
}

/// A client that appends one entry after the other, to some sessions in turn.
private final class Client: Sendable {
    private let sessions: [SessionID]
    private let journal: any Journal
    private let appended = Atomic(0)
    private let isEnding = Atomic(false)
    private let ended = Promise<Void, JournalError>()

    /// - Parameter sessions: Sessions with one entry each. No other client appends to them.
    init(of sessions: [SessionID], in journal: any Journal) {
        self.sessions = sessions
        self.journal = journal
    }

    /// The number of acknowledged entries.
    var count: Int { appended.load(ordering: .relaxed) }

    func begin() {
        let count = count
        let (turn, place) = count.quotientAndRemainder(dividingBy: sessions.count)
        let marks = journal.losesAnswers ? UInt64(count) : nil
        journal.append(.favorite(version: turn + 2, mark: marks), to: sessions[place]).whenDone(on: InPlace()) {
            [self] result in
            guard case .success = result, !isEnding.load(ordering: .relaxed) else { return ended.fulfil(result) }
            appended.add(1, ordering: .relaxed)
            begin()
        }
    }

    /// Waits for the entry in progress. Throws if an entry was refused.
    func end() async throws {
        isEnding.store(true, ordering: .relaxed)
        try await Future.later(ended).value
    }
}

/// An executor that runs results on the store's thread, so that the measurement includes no switch of threads.
private final class InPlace: Executor {
    func enqueue(_ job: @escaping @Sendable () -> Void) {
        job()
    }

    var isCurrent: Bool { true }
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
