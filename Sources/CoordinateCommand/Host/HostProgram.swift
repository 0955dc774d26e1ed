internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation

/// The program as its `main` describes it. The argument parser creates the subcommands, which read it.
struct HostProgram: Sendable {
    enum Source: Sendable {
        case app(any CoordinatedApp)
        case data(AppData, @Sendable (AppDataFile) throws -> any CoordinatedApp)
    }

    /// The command's name.
    let name: String
    /// The text that `--version` prints; empty if there is no such option.
    let version: String
    /// The app's name in help texts.
    let title: String
    let stores: Stores
    let hooks: SessionHooks
    var endpoints: [HostEndpoint] = []
    let didStart: @Sendable (Server) -> Void
    let source: Source

    /// The program whose arguments are being parsed. Only ``AppCommand`` sets it.
    @TaskLocal static var current = HostProgram(
        name: programName, version: "", title: "the app", stores: Stores([]), hooks: SessionHooks(), didStart: { _ in },
        source: .data(.file("", help: "")) { _ in throw ServerError.configuration("There is no app.") })

    /// The name of the program's file.
    static var programName: String {
        CommandLine.arguments.first.map { URL(filePath: $0).lastPathComponent } ?? "server"
    }

    /// The app's data; `nil` if the app needs none.
    var data: AppData? {
        if case .data(let data, _) = source { data } else { nil }
    }

    /// Creates the app, from the data at a path if it needs some.
    func makeApp(data path: String?) throws(ServerError) -> any CoordinatedApp {
        switch source {
        case .app(let app): return app
        case .data(let data, let makeApp):
            let file = AppDataFile(path: path ?? data.defaultPath)
            do {
                return try makeApp(file)
            } catch {
                throw file.misfit(error)
            }
        }
    }
}
