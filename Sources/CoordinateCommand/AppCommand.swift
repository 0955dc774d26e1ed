internal import ArgumentParser
public import Coordinate
public import CoordinateServer
public import CoordinateSessions
internal import Foundation

/// The command line of a program that hosts an app: `serve`, `replay`, `explore`, `export` and `openapi`.
///
/// It is all that the program's `main.swift` has to say:
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
/// `--help` lists the options and the environment variables. The address of a journal in memory is always known; those of
/// the stores are known that the program names here, and links for it.
public enum AppCommand {
    /// Does what the program's arguments say, and returns or exits when it is done.
    ///
    /// It is called first of all, before there are other threads.
    ///
    /// - Parameters:
    ///   - app: The app that is hosted.
    ///   - name: The command's name in help texts; nil for the program's.
    ///   - version: The answer to `--version`; nil for the app's version.
    ///   - journals: The stores besides memory that sessions can be kept in.
    ///   - hooks: Called when sessions begin and end on the server.
    ///   - didStart: Is given the server once requests are accepted: for what else the program does with it, such as
    ///     emitting events with ``Server/emit(_:into:at:)``.
    @MainActor
    public static func main(
        _ app: any CoordinatedApp, named name: String? = nil, version: String? = nil,
        journals: [JournalProvider] = [], hooks: SessionHooks = SessionHooks(),
        didStart: @escaping @Sendable (Server) -> Void = { _ in }
    ) async {
        await run(
            HostProgram(
                name: name, version: version ?? app.version, title: "the \(app.name) app", stores: Stores(journals),
                hooks: hooks, didStart: didStart, source: .app(app)))
    }

    /// Does what the program's arguments say, for an app that is made of data in a file.
    ///
    /// ```swift
    /// await AppCommand.main(version: "1.2", journals: [.sqlite], data: .file("shop.json", help: "The shop's wares")) {
    ///     ShopApp(wares: try $0.decode())
    /// }
    /// ```
    ///
    /// The file is named by the option `--app-data`, the variable `COORDINATE_APP_DATA`, or `appData` in the
    /// configuration file, else it is the one named here. Relative paths begin at the working directory.
    ///
    /// - Parameters:
    ///   - title: The app as help texts name it, such as `the racing app`.
    ///   - data: The file's default path, and the text that tells of it in `--help`.
    ///   - makeApp: Makes the app of the file. An error of it ends the program with the status 78.
    @MainActor
    public static func main(
        named name: String? = nil, version: String? = nil, title: String = "the app",
        journals: [JournalProvider] = [], hooks: SessionHooks = SessionHooks(), data: AppData,
        makeApp: @escaping @Sendable (AppDataFile) throws -> any CoordinatedApp,
        didStart: @escaping @Sendable (Server) -> Void = { _ in }
    ) async {
        await run(
            HostProgram(
                name: name, version: version ?? "", title: title, stores: Stores(journals), hooks: hooks,
                didStart: didStart, source: .data(data, makeApp)))
    }

    @MainActor
    private static func run(_ host: HostProgram) async {
        Server.shareFreedMemory()
        let arguments = Array(CommandLine.arguments.dropFirst())
        await HostProgram.$current.withValue(host) {
            switch host.source {
            case .app: await RootCommand<NoDataOption>.main(Export<NoDataOption>.withIDLast(arguments))
            case .data: await RootCommand<DataFileOption>.main(Export<NoDataOption>.withIDLast(arguments))
            }
        }
    }
}
