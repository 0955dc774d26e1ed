internal import ArgumentParser
internal import Configuration
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation
internal import Logging

extension HostProgram {
    /// Creates the program's server by its settings, and runs a body with it. Logs go to the standard error.
    ///
    /// - Parameters:
    ///   - file: The configuration file; `nil` for the default one.
    ///   - options: The given options, by setting key.
    ///   - change: Changes what the settings say.
    nonisolated(nonsending) func withServer(
        file: String?, options: [String: ConfigContent],
        changing change: (inout ServerConfiguration) -> Void = { _ in },
        _ body: nonisolated(nonsending) (Server, Settings) async throws -> Void
    ) async throws {
        let log: @Sendable (String) -> any LogHandler = { QueuedLogHandler(label: $0, queue: .standardError) }
        try await ExitCode.reportingErrors(log: log) {
            let settings = try await Settings(of: self, file: file, options: options)
            let logger = Logger(label: "coordinate")
            for variable in Settings.unknownVariables(in: ProcessInfo.processInfo.environment, of: self) {
                let advice = variable.nearest.map { "Did you mean \($0)?" } ?? Settings.listHint
                logger.warning("The environment variable \(variable.name) is no setting and has no effect. \(advice)")
            }
            let app = try makeApp(data: settings.appData)
            let journal = try settings.journal.open()
            defer {
                journal.close()
                Server.leave()
            }
            var configuration = settings.server
            change(&configuration)
            let server = try Server(app: app, journal: journal, configuration: configuration, hooks: hooks)
            try await body(server, settings)
        }
    }
}
