import Foundation
import Loopback

/// The server's program, started with the settings that an attack needs.
struct ServerProgram {
    /// The names of settings, as environment variables.
    static let memoryLimit = "COORDINATE_MAX_MEMORY"
    static let sessionLimit = "COORDINATE_MAX_SESSIONS"
    /// The setting for attacks on memory: a limit of 64 MiB.
    static let littleMemory = [memoryLimit: "\(64 << 20)"]

    let file: URL
    /// The folder that contains the configuration, the app's data and the page.
    let repository: URL

    /// Starts a server on a free port.
    ///
    /// - Parameters:
    ///   - settings: Environment variables. All other settings have their defaults.
    ///   - log: The destination of standard error. `nil` to discard it.
    func start(with settings: [String: String], log: Pipe? = nil) throws -> ServerProcess {
        try ServerProcess(
            "Coordinate", program: file,
            arguments: [
                "serve", "--port", "0", "--config", repository.appending(path: "config/server.json").path(),
                "--app-data", repository.appending(path: "config/racing.json").path(), "--public",
                repository.appending(path: "public").path(),
            ], environment: settings, standardError: log)
    }
}
