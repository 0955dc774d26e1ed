internal import Foundation

/// A release of the app. Each one differs from the first in one thing.
enum Release: String, CaseIterable {
    /// The old release.
    case first
    /// Only the version differs.
    case same
    /// Every basket is empty. The paths stay.
    case emptied
    /// Titles and texts differ.
    case retitled
    /// An event and a class of coordinator have other names, and recorded events are migrated.
    case renamed
    /// As ``renamed``, without the migration.
    case unmigrated
    /// There is a new product.
    case generous
    /// The button of the checkout leads to the shelf.
    case moved

    /// The release that the environment names.
    static let current: Release = {
        guard let name = ProcessInfo.processInfo.environment["RELEASE"] else { return .first }
        guard let release = Release(rawValue: name) else { fatalError("there is no release \(name)") }
        return release
    }()

    var version: String { self == .first ? "1.0" : "2.0" }

    /// Whether it has the new names.
    var isRenamed: Bool { self == .renamed || self == .unmigrated }

    /// Returns a text of the app, which one release words differently.
    func text(_ text: String) -> String { self == .retitled ? "\(text)!" : text }
}
