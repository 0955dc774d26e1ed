internal import CoordinateExplore
internal import CoordinateServer
internal import Foundation

/// A folder with the journals of a suite. It may contain journals of other origins, which stay as they are.
struct TestFolder {
    private let path: String
    /// The journals by their names, with whether a suite may replace them.
    private let isGenerated: [String: Bool]

    /// Reads a folder, which need not exist, with the journals of an app.
    init(_ path: String, of app: String) throws(ServerError) {
        self.path = path
        var isGenerated: [String: Bool] = [:]
        let files = FileManager.default
        if files.fileExists(atPath: path) {
            guard let names = try? files.contentsOfDirectory(atPath: path) else {
                throw .configuration("\(path) is not a readable folder. Name another one.")
            }
            for name in names where name.hasSuffix(Self.suffix) {
                isGenerated[name] =
                    files.contents(atPath: "\(path)/\(name)").map { JournalSuite.isGenerated($0, of: app) } ?? false
            }
        }
        self.isGenerated = isGenerated
    }

    private static let suffix = ".ndjson"

    /// Writes the journals of a suite. An empty suite changes nothing: its app did not start.
    ///
    /// - Parameter isWhole: Whether to remove the journals of earlier suites that this one does not contain.
    func write(_ suite: JournalSuite, isWhole: Bool) throws(ServerError) {
        guard !suite.journals.isEmpty else { return }
        let lines = Dictionary(uniqueKeysWithValues: suite.journals.map { ($0.name + Self.suffix, $0.lines) })
        if let name = lines.keys.sorted().first(where: { isGenerated[$0] == false }) {
            throw .configuration("\(path)/\(name) was not written by explore. Rename it, or name another folder.")
        }
        do {
            let folder = URL(filePath: path)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, lines) in lines {
                try Data(lines).write(to: folder.appending(path: name), options: .atomic)
            }
            for (name, isGenerated) in isGenerated where isWhole && isGenerated && lines[name] == nil {
                try FileManager.default.removeItem(at: folder.appending(path: name))
            }
        } catch {
            throw .configuration("\(path) cannot be written. Name a writable folder.")
        }
    }
}
