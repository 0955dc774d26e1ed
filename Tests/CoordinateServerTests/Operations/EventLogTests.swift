import CoordinateTesting
import Foundation
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The log of committed events.
struct EventLogTests {
    private let place = TemporaryFile("events.log")
    private let log = LogCapture()

    private var folder: URL { place.folder }
    private var file: URL { URL(filePath: place.path) }

    private func lines(of file: URL) throws -> [JSON] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .map { try JSONDecoder().decode(JSON.self, from: Data($0.utf8)) }
    }

    /// Runs the body with a client of a server that logs to a path.
    private func withLog(
        at path: String, _ body: (SessionClient) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration.make()
        configuration.eventLog = path
        try await withApp(WorkApp(), logger: log.logger, configuration: configuration) { try await body($0.client()) }
    }

    @Test func eachEventIsALine() async throws {
        try await withLog(at: file.path) { client in
            try await client.emit("work.login", ["password": "swordfish"])
            try await client.emit("work.setTimer", ["seconds": 500])
            try await waitUntil("the lines are written") { try lines(of: file).count == 2 }
            let line = try lines(of: file)[1]
            #expect(line["event"] == "work.setTimer")
            #expect(line["payload"] == ["seconds": 500])
            #expect(line["version"] == 2)
            #expect(line["handledBy"] == "WorkCoordinator/WorkPageCoordinator")
            #expect(line["path"] == "/work")
            #expect(line["screen"] == "WorkPage")
            #expect(line["origin"] == "client")
            #expect(line["key"] == .null)
            #expect(line["attributes"] == [:])
            #expect(line["session"]?.string?.count == 22)
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains("swordfish"))
            #expect(!text.contains(try #require(client.sessionID)))
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test(arguments: [false, true]) func aFileThatWasMovedIsBegunAnew(isRemoved: Bool) async throws {
        try await withLog(at: file.path) { client in
            try await client.emit("work.look")
            try await waitUntil("the line is written") { try lines(of: file).count == 1 }
            let old = folder.appending(path: "events.log.1")
            try FileManager.default.moveItem(at: file, to: old)
            if isRemoved { try FileManager.default.removeItem(at: old) }
            try await waitUntil("a new file is begun") { FileManager.default.fileExists(atPath: file.path) }
            try await client.emit("work.draw")
            try await waitUntil("the line is written") { try lines(of: file).map { $0["event"] } == ["work.draw"] }
        }
    }

    @Test func aFullDiskDelaysNoEvent() async throws {
        try await withLog(at: "/dev/full") { client in
            for _ in 0..<3 { try await client.emit("work.look") }
            try await waitUntil("the lines are counted") {
                try await client.metric("coordinate_event_log_dropped_total") == 3
            }
            #expect(log.lines.count { $0.contains("The event log /dev/full cannot be written") } == 1)
        }
    }

    @Test func aPipeWithoutAReaderDelaysNoEvent() async throws {
        mkfifo(file.path, 0o600)
        try await withLog(at: file.path) { client in
            for _ in 0..<1_000 { try await client.emit("work.look") }
            #expect(try await client.metric("coordinate_event_log_dropped_total") == 0)
            // The reader finds what it missed.
            let reader = try FileHandle(forReadingFrom: file)
            var bytes = Data()
            while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < 1_000 {
                bytes += reader.availableData
            }
            let versions = try bytes.split(separator: UInt8(ascii: "\n"))
                .map { try JSONDecoder().decode(JSON.self, from: $0)["version"]?.int }
            #expect(versions == Array(1...1_000))
        }
    }

    @Test func aLogThatCannotBeOpenedIsAFault() throws {
        var configuration = ServerConfiguration.make()
        configuration.eventLog = folder.path
        let error = #expect(throws: ServerError.self) {
            try Server(app: TestApp(), configuration: configuration, logger: .silent)
        }
        #expect(
            error?.description.contains("The event log \(folder.path) cannot be opened: Is a directory.") == true,
            "\(String(describing: error))")
    }
}
