import CoordinateSessions
import CoordinateTesting
import Racing
import SessionFixtures
import Testing

/// `CoordinatedApp.replay(_:)`: regression tests from recordings.
struct JournalReplayTests {
    private let app = TestApp()
    private static let journal = TestApp.recording.joined(separator: "\n")

    @Test(.racing) func aRecordingIsReplayedToItsEnd() async throws {
        try await client.walk(steps: 50, seed: 45)
        let journal = try await client.exportedJournal()
        let path = try RacingApp.make().replay(journal)
        #expect(path == (try await client.route().path))
    }

    @Test func aReplayFreesItsTree() throws {
        #expect(try app.replay(Self.journal.utf8) == "/stack/page/2")
        #expect(app.lives.born > 0)
        #expect(app.lives.living == 0)
    }

    @Test(arguments: [
        (2, "/stack/page/1", "/elsewhere"),
        (5, #""handledBy":"StageCoordinator/StackCoordinator""#, #""handledBy":null"#),
        (4, "test.scale", "test.fail"), (1, "Test", "Other"),
    ])
    func theFirstDifferingLineIsNamed(line: Int, old: String, new: String) throws {
        var lines = TestApp.recording
        for index in (line - 1)..<lines.count { lines[index] = lines[index].replacing(old, with: new) }
        let error = #expect(throws: JournalReplayError.self) { try app.replay(lines.joined(separator: "\n").utf8) }
        #expect(error?.line == line)
        #expect(error?.description.hasPrefix("Line \(line): ") == true)
        #expect(app.lives.living == 0)
    }

    @Test func anAppThatDoesNotStartFailsWithoutALine() throws {
        app.fault.begin(.failsToStart)
        let error = #expect(throws: JournalReplayError.self) { try app.replay(Self.journal.utf8) }
        #expect(error?.line == nil)
        #expect(error?.description.isEmpty == false)
        #expect(app.lives.living == 0)
    }

    @Test func aChangedAppFailsTheReplay() throws {
        app.fault.begin(.goesElsewhere)
        let error = #expect(throws: JournalReplayError.self) { try app.replay(Self.journal.utf8) }
        #expect(error?.line == 2)
        #expect(error?.description.contains("/stack/page/101") == true)
    }

    /// Otherwise a client that sends no line feed could fill the memory.
    @Test func theLengthOfALineIsLimited() throws {
        let replay = JournalReplay(HostedApp(TestApp(), logger: .silent))
        try replay.read(Array((TestApp.recording[0] + "\n").utf8))
        let part = [UInt8](repeating: UInt8(ascii: " "), count: 4 * 1024 * 1024)
        for _ in 0..<8 { try replay.read(part) }
        let error = #expect(throws: SessionError.self) { try replay.read(part) }
        guard case .invalidJournal(line: 2, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("longer"))
    }
}
