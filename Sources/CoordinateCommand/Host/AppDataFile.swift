public import CoordinateServer
internal import Foundation

/// The file with an app's data, as named by the program's options or settings.
public struct AppDataFile: Sendable {
    /// The path of the file.
    public let path: String

    /// The file's bytes.
    public var contents: [UInt8] {
        get throws(ServerError) {
            let files = FileManager.default
            if let content = files.contents(atPath: path) { return Array(content) }
            guard files.fileExists(atPath: path) else {
                let place = path.hasPrefix("/") ? "" : " in \(files.currentDirectoryPath)"
                throw .configuration(
                    "The app data \(path) does not exist\(place). Name the file with --app-data or COORDINATE_APP_DATA."
                )
            }
            throw .configuration(
                "The app data \(path) cannot be read: check its permissions, or name another file with --app-data.")
        }
    }

    /// Decodes the file, which contains JSON.
    ///
    /// - Throws: ``ServerError/configuration(_:)``, which names the place of the error in the file.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws(ServerError) -> Value {
        let content = Data(try contents)
        do {
            return try JSONDecoder().decode(type, from: content)
        } catch {
            throw misfit(error)
        }
    }

    /// The error if the app could not be created from the file.
    func misfit(_ error: any Error) -> ServerError {
        switch error {
        case let error as ServerError: error
        case let error as DecodingError: .configuration("The app data \(path) is not valid: \(error.reason)")
        default: .configuration("The app data \(path) is not valid: \(error)")
        }
    }
}

extension DecodingError {
    /// The place and the reason, in one line.
    fileprivate var reason: String {
        switch self {
        case .keyNotFound(let key, let context): "\(place(context)) has no \"\(key.stringValue)\"."
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            "\(place(context)): \(context.debugDescription)"
        @unknown default: "\(self)"
        }
    }

    private func place(_ context: Context) -> String {
        let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        return path.isEmpty ? "the file" : String(path.drop { $0 == "." })
    }
}

/// The data from which a hosted app is created.
public struct AppData: Sendable {
    let defaultPath: String
    let help: String

    /// Creates the description of data in a file.
    ///
    /// - Parameters:
    ///   - path: The default file.
    ///   - help: The content of the file in a few words, without a full stop, for `--help`: `The season's teams and
    ///     drivers`.
    public static func file(_ path: String, help: String) -> AppData {
        AppData(defaultPath: path, help: help)
    }
}
