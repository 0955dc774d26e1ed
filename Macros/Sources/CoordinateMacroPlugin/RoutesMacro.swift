import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Writes the declaration of an enum of routes.
struct RoutesMacro: ExtensionMacro {
    /// Keeps the formatting as written here. The compiler would split the closures.
    static let formatMode = FormatMode.disabled

    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let routes = declaration.as(EnumDeclSyntax.self) else {
            context.complain(at: node, "@Routes declares the cases of an enum: write the routes as one")
            return []
        }
        guard let attached = AttachedType(routes, type, lacking: protocols, node, in: context) else { return [] }
        var declared: [DeclaredRoute] = []
        for route in routes.declaredCases(for: "@Routes", in: context) {
            guard let route = DeclaredRoute(route, in: context) else { continue }
            if let first = declared.first(where: { $0.hides(route) }) {
                context.complain(
                    at: route.literal, "'\(first.name)' is at this path already: give '\(route.name)' one of its own")
            }
            declared.append(route)
        }
        return [attached.declaring("RouteDeclaration", of: declared.map(\.written))]
    }
}
