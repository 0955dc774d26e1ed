import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A type that a macro extends.
struct AttachedType {
    private let access: AccessLevel
    private let type: any TypeSyntaxProtocol
    private let conformances: [TypeSyntax]

    /// Checks that an extension of the type can store a declaration.
    ///
    /// - Parameters:
    ///   - group: The enum or the struct.
    ///   - type: Its name, with those of the types around it.
    ///   - conformances: The protocols that it does not conform to yet.
    ///   - attribute: The macro's attribute, for errors that have no better place.
    init?(
        _ group: some DeclGroupSyntax & NamedDeclSyntax, _ type: some TypeSyntaxProtocol,
        lacking conformances: [TypeSyntax], _ attribute: AttributeSyntax, in context: some MacroExpansionContext
    ) {
        self.type = type
        self.conformances = conformances
        access = AccessLevel(of: group, in: context)
        let macro = "@\(attribute.attributeName.trimmedDescription)"
        guard
            group.isStorable(by: macro, attribute, in: context), group.isReachable(by: macro, attribute, in: context),
            group.hasNoDeclaration(besides: macro, in: context)
        else { return nil }
    }

    /// The extension with the conformances and one declaration.
    ///
    /// - Parameters:
    ///   - kind: The type of the declaration: `EventDeclaration`.
    ///   - arguments: The declaration's arguments, each with one or more lines.
    func declaring(_ kind: String, of arguments: [String]) -> ExtensionDeclSyntax {
        let protocols = conformances.map(\.trimmedDescription).joined(separator: ", ")
        let lines = arguments.joined(separator: ",\n").split(separator: "\n").map { "        \($0)" }
        let text = lines.isEmpty ? "()" : "(\n\(lines.joined(separator: "\n"))\n    )"
        let written: DeclSyntax = """
            extension \(raw: type.trimmedDescription)\(raw: protocols.isEmpty ? "" : ": " + protocols) {
                \(raw: access.modifier)static let declaration = \(raw: kind)<Self>\(raw: text)
            }
            """
        return written.cast(ExtensionDeclSyntax.self)
    }
}

extension DeclGroupSyntax where Self: NamedDeclSyntax {
    fileprivate func isStorable(
        by macro: String, _ attribute: AttributeSyntax, in context: some MacroExpansionContext
    ) -> Bool {
        if let generic = asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause {
            context.complain(
                at: generic,
                "\(macro) stores a declaration, which a generic type cannot: "
                    + "take the parameters of '\(name.bareName)' away")
            return false
        }
        let around = context.lexicalContext.lazy.compactMap { $0.asProtocol((any WithGenericParametersSyntax).self) }
        if let generic = around.first(where: { $0.genericParameterClause != nil }) {
            let outer = generic.asProtocol((any NamedDeclSyntax).self)?.name.bareName ?? "the generic type"
            context.complain(
                at: attribute,
                "\(macro) stores a declaration, which a type in a generic one cannot: "
                    + "move '\(name.bareName)' out of '\(outer)'")
            return false
        }
        return true
    }

    /// Checks that the extension sees the type. It is at the top of the file, where private members of a type are not
    /// visible.
    fileprivate func isReachable(
        by macro: String, _ attribute: AttributeSyntax, in context: some MacroExpansionContext
    ) -> Bool {
        let around = context.lexicalContext
        if !around.isEmpty, let modifier = modifiers.first(where: { $0.name.text == "private" }) {
            context.complain(
                at: modifier,
                "\(macro) writes an extension, which sees nothing private: make '\(name.bareName)' fileprivate",
                corrections: [.writing("fileprivate", over: modifier, "make it fileprivate")])
            return false
        }
        for outer in around.dropLast().compactMap({ $0.asProtocol((any DeclGroupSyntax).self) })
        where outer.modifiers.accessLevel == "private" {
            let outerName = outer.asProtocol((any NamedDeclSyntax).self)?.name.bareName ?? ""
            context.complain(
                at: attribute,
                "\(macro) writes an extension, which sees nothing private: make '\(outerName)' fileprivate")
            return false
        }
        return true
    }

    fileprivate func hasNoDeclaration(besides macro: String, in context: some MacroExpansionContext) -> Bool {
        let bindings = memberBlock.members.lazy.compactMap { $0.decl.as(VariableDeclSyntax.self) }
            .filter { $0.modifiers.contains { $0.name.text == "static" } }.flatMap(\.bindings)
        guard let own = bindings.first(where: { $0.pattern.trimmedDescription == "declaration" }) else { return true }
        context.complain(at: own.pattern, "\(macro) writes 'declaration' itself: take this one away, or the macro")
        return false
    }
}
