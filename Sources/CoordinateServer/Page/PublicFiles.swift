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
    /// The shipped description of the API, which a server replaces by that of its app; `nil` if the files have their own.
    private(set) var shippedDescription: PublicFile?

    /// Creates an empty set of files.
    init() {
        files = [:]
        isMissing = false
    }

    /// Reads a folder with everything below it, except hidden files and links.
    init(folder: String) throws(UnreadableFolder) {
        let root = URL(filePath: folder, directoryHint: .isDirectory)
        var size = 0
        files = [:]
        isMissing = false
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
                let content = Array(try Data(contentsOf: root.appending(path: name)))
                insert(PublicFile(content, name: name), at: "/" + name)
            }
        } catch let error as UnreadableFolder {
            throw error
        } catch {
            throw UnreadableFolder(
                "The public folder \(folder) cannot be read. Name another one: \(error.localizedDescription)")
        }
    }

    private mutating func insert(_ file: PublicFile, at path: String) {
        files[path] = file
        if path.hasSuffix(Self.pagePath) { files[String(path.dropLast(Self.pagePath.count - 1))] = file }
    }

    /// Joins the modules of each page that loads one of some modules. A page with a form that cannot be joined loads its
    /// modules one by one.
    mutating func joinModules(where isJoined: (_ entry: String) -> Bool) {
        let unjoined = files
        for (path, file) in unjoined where path.hasSuffix(".html") {
            let page = file.text
            guard JoinedPage.entry(of: page).map(isJoined) == true,
                let joined = try? JoinedPage(page, { unjoined[$0]?.text })
            else { continue }
            files.merge(joined.files) { $1 }
            insert(PublicFile(Array(joined.html.utf8), name: path, variant: ("modules", file)), at: path)
        }
    }

    /// Whether they have a page of their own.
    var havePage: Bool { include(Self.pagePath) }

    /// Returns these files beside the shipped ones. If these have a page, only the API's description is added, and their
    /// copies of the shipped pages have their modules joined as well.
    func besideShippedFiles() -> PublicFiles {
        var all = self
        all.joinModules { ShippedPage.files?.include($0) == true }
        if havePage {
            all.insertShippedFiles(below: Self.descriptionPath)
        } else {
            all.insert(ShippedPage.joinedFiles, below: "/")
        }
        all.isMissing = !havePage && ShippedPage.files == nil
        let description = all.files[Self.descriptionPath]
        if let shipped = ShippedPage.files?.files[Self.descriptionPath], shipped.content == description?.content {
            all.shippedDescription = description
        }
        return all
    }

    /// Inserts the shipped files below a folder, unless these files have them.
    package mutating func insertShippedFiles(below folder: String) {
        insert(ShippedPage.files, below: folder)
    }

    private mutating func insert(_ others: PublicFiles?, below folder: String) {
        for (path, file) in others?.files ?? [:] where path.hasPrefix(folder) && files[path] == nil {
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
