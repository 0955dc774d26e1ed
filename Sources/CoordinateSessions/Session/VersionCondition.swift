/// What has to be so of a session's version before something is done.
package struct VersionCondition: Equatable, Sendable {
    /// Some versions, or each that there is.
    package enum Versions: Equatable, Sendable {
        case any
        case some([Int])

        package func contains(_ version: Int) -> Bool {
            switch self {
            case .any: true
            case .some(let versions): versions.contains(version)
            }
        }
    }

    /// It has to be one of these; nil for any.
    package var isOneOf: Versions?
    /// It has to be none of these.
    package var isNoneOf: Versions?

    package init(isOneOf: Versions? = nil, isNoneOf: Versions? = nil) {
        self.isOneOf = isOneOf
        self.isNoneOf = isNoneOf
    }

    /// Anything may be so.
    package static let none = VersionCondition()

    package func allows(_ version: Int) -> Bool {
        isOneOf?.contains(version) != false && isNoneOf?.contains(version) != true
    }
}
