internal import CoordinateSessions
internal import Foundation
internal import MicroHTTPD

/// The files of the page, read once at the start. Files added later are not served.
package struct PublicFiles: Sendable {
    /// The largest size of all files together, in bytes.
    static let maximumSize = 64 * 1024 * 1024

    static let descriptionPath = "/openapi.json"
    private static let pagePath = "/index.html"

    private var files: [String: PublicFile]
    /// Whether files are expected but missing.
    private var isMissing: Bool

    /// Creates an empty set of files.
    init() {
        files = [:]
        isMissing = false
    }

    /// Reads a folder with everything below it, except hidden files and links. A file with a neighbor of the same name
    /// and `.gz` is sent compressed to clients that accept it.
    init(folder: String) throws(UnreadableFolder) {
        let root = URL(filePath: folder, directoryHint: .isDirectory)
        var contents: [String: [UInt8]] = [:]
        var size = 0
        do {
            let type = try FileManager.default.attributesOfItem(atPath: folder)[.type] as? FileAttributeType
            guard type == .typeDirectory || type == .typeSymbolicLink else {
                throw UnreadableFolder("The public folder \(folder) is a file. Name the folder it is in.")
            }
            for name in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
                let isHidden = name.split(separator: "/").contains { $0.utf8.first == UInt8(ascii: ".") }
                let attributes = try FileManager.default.attributesOfItem(atPath: root.appending(path: name).path)
                guard !isHidden, attributes[.type] as? FileAttributeType == .typeRegular else { continue }
                size += attributes[.size] as? Int ?? 0
                guard size <= Self.maximumSize else {
                    throw UnreadableFolder(
                        "The public folder \(folder) has more than \(Self.maximumSize >> 20) MiB. Name a smaller one.")
                }
                contents[name] = Array(try Data(contentsOf: root.appending(path: name)))
            }
        } catch let error as UnreadableFolder {
            throw error
        } catch {
            throw UnreadableFolder(
                "The public folder \(folder) cannot be read. Name another one: \(error.localizedDescription)")
        }
        files = [:]
        isMissing = false
        for (name, content) in contents {
            let file = PublicFile(content, name: name, compressed: contents["\(name).gz"])
            files["/" + name] = file
            if name == "index.html" || name.hasSuffix("/index.html") {
                files["/" + name.dropLast("index.html".count)] = file
            }
        }
    }

    /// Whether they have a page of their own.
    var havePage: Bool { include(Self.pagePath) }

    /// Returns these files beside the shipped ones. If these have a page, only the API's description is added.
    func besideShippedFiles() -> PublicFiles {
        var all = self
        all.insertShippedFiles(below: havePage ? Self.descriptionPath : "/")
        all.isMissing = !havePage && ShippedPage.files == nil
        return all
    }

    /// Inserts the shipped files below a folder, unless these files have them.
    package mutating func insertShippedFiles(below folder: String) {
        for (path, file) in ShippedPage.files?.files ?? [:] where path.hasPrefix(folder) && files[path] == nil {
            files[path] = file
        }
    }

    /// Inserts the file at a path of this machine, to be served at another path.
    ///
    /// - Returns: Whether the file can be read.
    package mutating func insert(fileAt source: String, as path: String) -> Bool {
        guard let content = FileManager.default.contents(atPath: source), content.count <= Self.maximumSize else {
            return false
        }
        files[path] = PublicFile(Array(content), name: path)
        return true
    }

    /// Whether there is a file at a path.
    package func include(_ path: String) -> Bool { files[path] != nil }

    /// The file at a path, given as the request sends it.
    func file(at path: String) -> PublicFile? {
        files[path] ?? HTTPRequest.decodePercent(path).flatMap { files[$0] }
    }

    /// The problem for a path without a file.
    func problem(at path: String) -> Problem {
        isMissing && ["/", Self.pagePath, Self.descriptionPath].contains(path) ? .pageMissing : .notFound
    }
}

/// The reason why a folder cannot be served, and what to do about it.
struct UnreadableFolder: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
