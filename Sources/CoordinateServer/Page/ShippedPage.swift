internal import Foundation

/// The page of this library, in the folder that the build creates beside the program.
///
/// `Bundle.module` ends the process if the folder is missing. It also looks in the build folder, which may belong to
/// another user of the machine. So this looks only beside the program.
package enum ShippedPage {
    /// The files of the page; `nil` if the folder is missing or cannot be read.
    static let files: PublicFiles? = folder.flatMap { try? PublicFiles(folder: $0.path) }

    /// The advice if the files are missing.
    package static let remedy = """
        There is no page and no /openapi.json: the folder \(name) is missing or unreadable beside the program. Copy it \
        there from the build folder, or name a folder with a page of your own.
        """

    /// The API's description, which is the same for all apps; `nil` if it is missing.
    package static var description: [UInt8]? {
        folder.flatMap { try? Data(contentsOf: $0.appending(path: "openapi.json")) }.map(Array.init)
    }

    private static var folder: URL? {
        places.map { $0.appending(path: name, directoryHint: .isDirectory) }.compactMap(contents)
            .map { $0.appending(path: "public", directoryHint: .isDirectory) }
            .first { FileManager.default.fileExists(atPath: $0.appending(path: "index.html").path) }
    }

    #if os(macOS)
        private final class Anchor {}

        private static let name = "coordinate_CoordinateServer.bundle"

        /// The folders that may contain it. Tests are in a bundle of their own, and an app keeps its resources in a
        /// subfolder.
        private static var places: [URL] {
            let bundles = [Bundle.main, Bundle(for: Anchor.self)]
            return bundles.flatMap { [$0.resourceURL, $0.bundleURL, $0.bundleURL.deletingLastPathComponent()] }
                .compactMap(\.self)
        }

        private static func contents(of bundle: URL) -> URL? {
            Bundle(url: bundle)?.resourceURL
        }
    #else
        private static let name = "coordinate_CoordinateServer.resources"

        private static var places: [URL] { [Bundle.main.bundleURL] }

        private static func contents(of folder: URL) -> URL? { folder }
    #endif
}
