/// The data that a hosted app is made of, as the command line names it.
public struct AppData: Sendable {
    let defaultPath: String
    let help: String

    /// Data in a file.
    ///
    /// - Parameters:
    ///   - path: The file that is read unless another one is named.
    ///   - help: The file's content in a few words without a full stop, for `--help`: `The season's teams and drivers`.
    public static func file(_ path: String, help: String) -> AppData {
        AppData(defaultPath: path, help: help)
    }
}
