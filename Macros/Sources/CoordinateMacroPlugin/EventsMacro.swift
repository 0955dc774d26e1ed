import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Writes the declaration of an enum of events.
struct EventsMacro: ExtensionMacro {
    /// Keeps the formatting as written here. The compiler would split the closures.
    static let formatMode = FormatMode.disabled

    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let events = declaration.as(EnumDeclSyntax.self) else {
            context.complain(at: node, "@Events declares the cases of an enum: write the events as one")
            return []
        }
        guard let attached = AttachedType(events, type, lacking: protocols, node, in: context) else { return [] }
        let domain = domain(of: node, in: context)
        let cases = events.declaredCases(for: "@Events", in: context).map { written($0, in: context) }
        return [attached.declaring("EventDeclaration", of: [domain] + cases)]
    }

    /// The literal of the domain.
    private static func domain(of node: AttributeSyntax, in context: some MacroExpansionContext) -> String {
        guard let argument = node.argument else { return "".asLiteral }
        let text = argument.literalText
        let problem =
            switch text {
            case nil: "the domain of events is a literal without values in it: \"teams\""
            case "": "the domain is empty: an event's full name is 'domain.case', so name the domain"
            case let text? where text.contains("."):
                "the domain '\(text)' has a dot: an event's full name is 'domain.case', so write it without a dot"
            case let text? where text.contains(where: \.isWhitespace):
                "the domain '\(text)' has a space: an event's full name is 'domain.case', so write it without a space"
            case "navigation": "the domain 'navigation' is the library's own: name this one otherwise"
            default: nil as String?
            }
        if let problem { context.complain(at: argument, problem) }
        return (text ?? "").asLiteral
    }

    /// The case's line in the declaration: `.event("didSelect", Self.didSelect, "team") { … }`.
    private static func written(_ declared: DeclaredCase, in context: some MacroExpansionContext) -> String {
        let isAppOnly = !declared.declaration.attributes.all(named: "AppOnly").isEmpty
        let mark = isAppOnly ? ".appOnly" : ""
        guard !declared.values.isEmpty else {
            return ".event(\(declared.name.asLiteral), \(declared.reference))\(mark)"
        }
        let fields = fields(of: declared, in: context)
        let names = fields.map(\.asLiteral).joined(separator: ", ")
        return ".event(\(declared.name.asLiteral), Self\(declared.reference), \(names)) "
            + "\(declared.extraction(fields))\(mark)"
    }

    /// The field names of the values in the payload.
    private static func fields(of declared: DeclaredCase, in context: some MacroExpansionContext) -> [String] {
        let taken = declared.values.compactMap(\.name)
        var fields: [String] = []
        for (index, value) in declared.values.enumerated() {
            guard let name = value.name else {
                context.complain(
                    at: value.syntax,
                    "a value of '\(declared.name)' has no name, and is a field of its payload: name it",
                    corrections: naming(value, besides: taken + fields))
                fields.append("value\(index + 1)")
                continue
            }
            guard !fields.contains(name) else {
                context.complain(
                    at: value.syntax,
                    "two values of '\(declared.name)' are called '\(name)', and a payload has one field of a name: "
                        + "give this one another")
                fields.append("\(name)\(index + 1)")
                continue
            }
            fields.append(name)
        }
        return fields
    }

    private static func naming(_ value: DeclaredCase.Value, besides taken: [String]) -> [FixIt] {
        guard let name = value.type.valueName, !taken.contains(name) else { return [] }
        let written = "_ \(name.asVariable): \(value.type.trimmedDescription)"
        if let label = value.syntax.firstName {
            return [.writing("_ \(name.asVariable)", over: label, "write '\(written)'")]
        }
        return [.inserting("_ \(name.asVariable): ", before: value.type, "write '\(written)'")]
    }
}
