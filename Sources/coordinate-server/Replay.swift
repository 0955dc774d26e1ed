import ArgumentParser
import CoordinateServer
import CoordinateSessions
import Foundation
import Logging
import Racing

struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Replays an exported journal of the racing app.",
        discussion: """
            Every event is emitted again where it was, in a new tree; the path in the end goes to the standard output. \
            Record a journal with: curl -b jar -H 'Accept: application/x-ndjson' localhost:8080/events > journal.ndjson

            Exit status: 0 where all went as it was recorded, 1 where it did not (the standard error names the first \
            line that differs or cannot be replayed), 64 for a wrong option, 78 for a wrong setting or file.
            """
    )

    @Argument(help: "The exported journal.")
    var file: String

    @OptionGroup var app: AppOptions

    func run() async throws {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        do {
            let settings = try await Settings(file: app.config, options: app.values)
            let season = try Season.read(from: settings.appData)
            guard let journal = FileManager.default.contents(atPath: file) else {
                throw ServerError.configuration("The journal \(file) cannot be read. Name an exported one.")
            }
            print(try RacingApp(season: season).replay(journal))
        } catch let error as ServerError {
            throw ExitCode(error)
        } catch let error as JournalReplayError {
            throw ExitCode(error)
        }
    }
}
