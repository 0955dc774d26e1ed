internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions
internal import JSON
internal import MicroHTTPD

extension SessionTools {
    func readHistory(_ arguments: ToolArguments) async throws -> [UInt8] {
        let after = try arguments.int("after", in: 0...Int.max) ?? 0
        let limit = try arguments.int("limit", in: 1...1_000) ?? 100
        let journal = try await session(in: arguments).journal()
        // A model reads less at once than a program.
        let page = JournalReading(
            journal, as: .page(recordedBy: api.app.version), after: after, limit: limit,
            endingAt: JournalReading.wholeSize / 2)
        return try await page.whole().bytes
    }

    func exportJournal(_ arguments: ToolArguments) async throws -> [UInt8] {
        let session = try await session(in: arguments)
        guard !sessions.host.budget.isFull else { throw SessionError.memoryIsFull }
        let journal = try await session.journal()
        guard journal.head.damage != 0 else { throw SessionError.damaged(version: 0) }
        let limit = JournalReading.wholeSize
        let lines = try await JournalReading(journal, as: .export(), endingAt: limit + 1).whole()
        guard lines.count <= limit else { throw ToolError.journalTooLarge(session.id, limit: limit) }
        var json = JSONWriter<[UInt8]>(capacity: lines.count + 64)
        json.object { $0.field("journal", String(decoding: lines.bytes, as: UTF8.self)) }
        return json.finish()
    }
}
