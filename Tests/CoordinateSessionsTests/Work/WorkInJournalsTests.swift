import Coordinate
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// Journals with work, replayed and imported: only the work that is pending at the end begins.
@Suite(.timeLimit(.minutes(2))) struct WorkInJournalsTests {
    private let shop = Workshop()
    private static let header =
        #"{"journal":2,"app":"Work","appVersion":"1.0","options":{},"createdAt":"2026-11-21T09:30:00Z","seed":7,"path":"/work"}"#

    private func entry(
        _ version: Int, _ event: String, _ payload: String, origin: String = "client", pending: String = "null"
    ) -> String {
        #"{"version":\#(version),"time":"2026-11-21T09:30:0\#(version)Z","event":"work.\#(event)","payload":\#(payload),"#
            + #""at":"WorkCoordinator/WorkPageCoordinator","handled":true,"#
            + #""handledBy":"WorkCoordinator/WorkPageCoordinator","path":"/work","origin":"\#(origin)","pending":\#(pending)}"#
    }

    private func importing(
        _ lines: String..., into shop: Workshop, header: String = Self.header, withholdingWork: Bool = false
    ) async throws -> SessionSummary {
        let upload = try SessionImport(into: shop.registry, withholdingWork: withholdingWork)
        upload.read(Array(([header] + lines).joined(separator: "\n").utf8))
        return try await upload.finish()
    }

    private var asked: String { entry(1, "ask", #"{"name":"pay"}"#) }
    private var reported: String {
        entry(2, "didFinish", #"{"outcome":"pay: receipt"}"#, origin: "work", pending: "\"1-1\"")
    }
    /// The same line, as a client posted it.
    private var posted: String { reported.replacing(#""origin":"work""#, with: #""origin":"client""#) }

    @Test func workWithAnOutcomeDoesNotBeginAgain() async throws {
        let summary = try await importing(asked, reported, entry(3, "ask", #"{"name":"ship"}"#), into: shop)
        #expect(summary.head.pending == 1)
        shop.clock.advance(by: 10)
        shop.registry.sweep()
        #expect(await shop.world.call(0).name == "ship")
        #expect(shop.world.calls.count == 1)
        let session = try await shop.registry.find(summary.head.record.id)
        #expect(try await session.notes == ["pay: receipt"])
    }

    /// The request withholds it, the file does, or both.
    @Test(arguments: [(true, false), (false, true), (true, true)])
    func anImportCanWithholdItsWork(isWanted: Bool, isSaid: Bool) async throws {
        let header = isSaid ? Self.header.dropLast() + #","work":"withheld"}"# : Self.header
        let more = entry(3, "ask", #"{"name":"ship"}"#)
        let summary = try await importing(asked, posted, more, into: shop, header: header, withholdingWork: isWanted)
        #expect(summary.head.record.isWorkWithheld)
        #expect(summary.head.pending == 1)
        shop.clock.advance(by: 60)
        shop.registry.sweep()
        let session = try await shop.registry.find(summary.head.record.id)
        #expect(try await session.notes == ["pay: receipt"])
        #expect(try await session.journal.map(\.pending) == [nil, "1-1", nil])
        shop.clock.advance(by: 60)
        shop.registry.sweep()
        #expect(shop.world.calls.isEmpty)
    }

    @Test func aReplayAcceptsOutcomesThatClientsPosted() throws {
        let world = World()
        let journal = [Self.header, asked, posted, entry(3, "look", "{}")].joined(separator: "\n")
        #expect(try WorkApp(world).replay(journal.utf8) == "/work")
        #expect(world.calls.isEmpty)
        let again = [Self.header, asked, posted, posted.replacing(#""version":2"#, with: #""version":3"#)]
        let error = #expect(throws: JournalReplayError.self) {
            try WorkApp(world).replay(again.joined(separator: "\n").utf8)
        }
        #expect(error?.line == 4)
        #expect(error?.description.contains("1-1, which is not pending at that version") == true)
    }

    @Test func anOutcomeOfWorkThatWasNotRequestedIsRefused() async {
        for line in [reported.replacing("\"1-1\"", with: "\"9-9\""), reported, posted] {
            guard
                case .invalidJournal(let number, let reason) = await #expect(
                    throws: SessionError.self,
                    performing: {
                        try await importing(
                            entry(1, "push", "{}").replacing(#""path":"/work""#, with: #""path":"/work/page/1""#)
                                .replacing(
                                    #""handledBy":"WorkCoordinator/WorkPageCoordinator""#,
                                    with: #""handledBy":"WorkCoordinator""#), line, into: shop)
                    })
            else {
                Issue.record("The import succeeded, or was refused for another reason.")
                return
            }
            #expect(number == 3)
            // The line number appears once.
            #expect(reason.hasPrefix("its \"pending\" is "), "\(reason)")
        }
        #expect(shop.registry.count == 0)
    }
}
