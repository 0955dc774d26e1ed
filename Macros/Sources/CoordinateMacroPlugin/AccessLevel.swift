import SwiftSyntax
import SwiftSyntaxMacros

/// The part of a program that sees a type, the smallest first.
enum AccessLevel: Comparable {
    case file
    case module
    case package
    case everybody

    /// The level of a type: its own, or that of a type around it where that is smaller.
    ///
    /// Not seen is the level of a type that is extended around it.
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

    /// The modifier of a member of an extension that is seen as far, with a space behind it.
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
    /// The access level that is written, nil where none is.
    var accessLevel: String? {
        let levels = ["private", "fileprivate", "internal", "package", "public", "open"]
        return lazy.filter { $0.detail == nil }.map(\.name.text).first { levels.contains($0) }
    }
}
