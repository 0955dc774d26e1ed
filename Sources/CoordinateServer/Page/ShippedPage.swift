internal import Foundation

/// The page of this library, in the folder that the build creates beside the program.
///
/// `Bundle.module` ends the process if the folder is missing. It also looks in the build folder, which may belong to
/// another user of the machine. So this looks only beside the program.
package enum ShippedPage {
    /// The files of the page; `nil` if the folder is missing or cannot be read.
    static let files: PublicFiles? = folder.flatMap { try? PublicFiles(folder: $0.path) }

    /// The same with the modules of each page joined, which a server with a page of its own does not need.
    static let joinedFiles: PublicFiles? = {
        var joined = files
        joined?.joinModules { _ in true }
        return joined
    }()

    /// The advice if the files are missing.
    package static let remedy = """
        There is no page and no /openapi.json: the folder \(name) is missing or unreadable beside the program. Copy it \
        there from the build folder, or name a folder with a page of your own.
        """

    /// The API's description that fits every app; `nil` if it is missing.
    package static var description: [UInt8]? {
        folder.flatMap { try? Data(contentsOf: $0.appending(path: "openapi.json")) }.map(Array.init)
    }

    private static let name = "coordinate_CoordinateServer.resources"

    /// The folder that the build puts beside the program.
    private static var folder: URL? {
        let folder = Bundle.main.bundleURL.appending(path: "\(name)/public")
        return FileManager.default.fileExists(atPath: folder.appending(path: "index.html").path) ? folder : nil
    }
}
