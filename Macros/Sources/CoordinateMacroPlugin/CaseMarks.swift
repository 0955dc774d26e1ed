import SwiftSyntax
import SwiftSyntaxMacros

/// Marks a case for the macro that is attached to its enum. It writes nothing itself.
protocol CaseMark: PeerMacro {
    /// The names of the mark and of the macro that reads it.
    static var name: String { get }
    static var reader: String { get }
}

struct AppOnlyMacro: CaseMark {
    static let name = "AppOnly"
    static let reader = "Events"
}

struct PathMacro: CaseMark {
    static let name = "Path"
    static let reader = "Routes"
}

extension CaseMark {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if !declaration.is(EnumCaseDeclSyntax.self) {
            context.complain(at: node, "@\(name) marks a case of an enum: write it in front of one")
        } else if let outer = context.lexicalContext.first?.as(EnumDeclSyntax.self),
            outer.attributes.all(named: reader).isEmpty
        {
            context.complain(
                at: node,
                "@\(name) is read by @\(reader): write that in front of '\(outer.name.bareName)', or take this away"
            )
        }
        return []
    }
}
