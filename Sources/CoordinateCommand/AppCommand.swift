internal import ArgumentParser
public import Coordinate
public import CoordinateServer
public import CoordinateSessions
internal import Foundation

/// The command line of a program that hosts an app, with the subcommands `serve`, `mcp`, `replay`, `deploy-check`,
/// `explore`, `export`, `erase` and `openapi`.
///
/// The program's `main.swift` consists of one call:
///
/// ```swift
/// import CoordinateCommand
/// import CoordinateSQLite
/// import Shop
///
/// await AppCommand.main(ShopApp(), journals: [.sqlite])
/// ```
/// ```sh
/// shop serve --port 9000 --journal sqlite:sessions.sqlite
/// shop replay sqlite:sessions.sqlite
/// ```
///
/// `--help` lists the options and the environment variables. Sessions can always be kept in memory, and in the stores
/// that the program links and names here.
public enum AppCommand {
    /// Runs the subcommand in the program's arguments. Returns or exits when it has finished.
    ///
    /// Call it before anything else, and before the program starts other threads.
    ///
    /// - Parameters:
    ///   - app: The app to host.
    ///   - name: The command's name in help texts; `nil` for the program's name.
    ///   - version: The text that `--version` prints; `nil` for the app's version.
    ///   - journals: The stores, besides memory, in which sessions can be kept.
    ///   - hooks: Called when sessions begin and end on the server, and for their events.
    ///   - endpoints: The server's routes of the program's own, below `/x/`.
    ///   - didStart: Called with the server once requests are accepted, for the program's other uses of it, such as
    ///     emitting events with ``Server/emit(_:into:at:once:)``.
    @MainActor
    public static func main(
        _ app: any CoordinatedApp, named name: String? = nil, version: String? = nil,
        journals: [JournalProvider] = [], hooks: SessionHooks = SessionHooks(), endpoints: [HostEndpoint] = [],
        didStart: @escaping @Sendable (Server) -> Void = { _ in }
    ) async {
        await run(
            HostProgram(
                name: name ?? HostProgram.programName, version: version ?? app.version, title: "the \(app.name) app",
                stores: Stores(journals),
                hooks: hooks, endpoints: endpoints, didStart: didStart, source: .app(app)))
    }

    /// Runs the subcommand in the program's arguments, for an app that is created from data in a file.
    ///
    /// ```swift
    /// await AppCommand.main(version: "1.2", journals: [.sqlite], data: .file("shop.json", help: "The shop's wares")) {
    ///     ShopApp(wares: try $0.decode())
    /// }
    /// ```
    ///
    /// The option `--app-data`, the variable `COORDINATE_APP_DATA` or `appData` in the configuration file names the
    /// file. The default is the one named here. Relative paths begin at the working directory.
    ///
    /// - Parameters:
    ///   - title: The app's name in help texts, such as `the racing app`.
    ///   - data: The file's default path, and its description in `--help`.
    ///   - makeApp: Creates the app from the file. If it throws an error, the program ends with status 78.
    @MainActor
    public static func main(
        named name: String? = nil, version: String? = nil, title: String = "the app",
        journals: [JournalProvider] = [], hooks: SessionHooks = SessionHooks(), endpoints: [HostEndpoint] = [],
        data: AppData,
        makeApp: @escaping @Sendable (AppDataFile) throws -> any CoordinatedApp,
        didStart: @escaping @Sendable (Server) -> Void = { _ in }
    ) async {
        await run(
            HostProgram(
                name: name ?? HostProgram.programName, version: version ?? "", title: title, stores: Stores(journals),
                hooks: hooks,
                endpoints: endpoints, didStart: didStart, source: .data(data, makeApp)))
    }

    @MainActor
    private static func run(_ host: HostProgram) async {
        Server.shareFreedMemory()
        // The parser ignores the value of `--strict=all` if another option follows it.
        let strict = "--strict="
        let arguments = host.stores.withIDLast(Array(CommandLine.arguments.dropFirst())).flatMap {
            $0.hasPrefix(strict) ? ["--strict", String($0.dropFirst(strict.count))] : [$0]
        }
        await HostProgram.$current.withValue(host) { await RootCommand.main(arguments) }
    }
}
