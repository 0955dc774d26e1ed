import SwiftSyntax
import SwiftSyntaxMacros

/// The part of a program that can see a type, the smallest first.
enum AccessLevel: Comparable {
    case file
    case module
    case package
    case everybody

    /// The level of a type: its own, or that of a surrounding type if that is smaller.
    ///
    /// It does not include the level of an extended type around it.
    init(of group: some DeclGroupSyntax, in context: some MacroExpansionContext) {
        let around = context.lexicalContext.map { $0.asProtocol((any DeclGroupSyntax).self) }
        let types: [(any DeclGroupSyntax)?] = [group] + around
        self =
            types.indices.compactMap { index in
                guard let type = types[index], !type.is(ExtensionDeclSyntax.self) else { return nil }
                let outer = index + 1 < types.count ? types[index + 1]?.as(ExtensionDeclSyntax.self) : nil
                return Self(writtenAs: type.modifiers.accessLevel ?? outer?.modifiers.accessLevel)
            }.min() ?? .module
    }

    private init(writtenAs modifier: String?) {
        switch modifier {
        case "private", "fileprivate": self = .file
        case "package": self = .package
        case "public", "open": self = .everybody
        default: self = .module
        }
    }

    /// The modifier for a member of an extension with this level, followed by a space.
    var modifier: String {
        switch self {
        case .file: "fileprivate "
        case .module: ""
        case .package: "package "
        case .everybody: "public "
        }
    }
}

extension DeclModifierListSyntax {
    /// The written access level. `nil` if there is none.
    var accessLevel: String? {
        let levels = ["private", "fileprivate", "internal", "package", "public", "open"]
        return lazy.filter { $0.detail == nil }.map(\.name.text).first { levels.contains($0) }
    }
}
