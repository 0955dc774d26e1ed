import CoordinateServer
import Foundation
import Racing

extension Season {
    /// Reads and checks a file.
    static func read(from path: String) throws(ServerError) -> Season {
        let content: Data
        do {
            content = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw .configuration("The app data \(path) cannot be read. Name another file with --app-data.")
        }
        do {
            return try JSONDecoder().decode(Season.self, from: content)
        } catch let error as DecodingError {
            throw .configuration("The app data \(path) does not fit: \(error.reason)")
        } catch {
            throw .configuration("The app data \(path) does not fit: \(error)")
        }
    }
}

extension DecodingError {
    /// Where, and what, in one line.
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
