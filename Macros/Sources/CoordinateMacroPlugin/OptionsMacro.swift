import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Writes the declaration of a struct of options, and the initializer that it needs.
struct OptionsMacro: ExtensionMacro {
    /// Keeps the formatting as written here. The compiler would split the closures.
    static let formatMode = FormatMode.disabled

    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let options = declaration.as(StructDeclSyntax.self) else {
            context.complain(at: node, "@Options declares the properties of a struct: write the options as one")
            return []
        }
        guard let attached = AttachedType(options, type, lacking: protocols, node, in: context) else { return [] }
        let declared = options.declaredOptions(in: context)
        return [
            attached.declaring(
                "OptionDeclaration", of: declared.map { ".option(\($0.bareName.asLiteral), \\.\($0.text))" })
        ]
    }
}

extension OptionsMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let options = declaration.as(StructDeclSyntax.self) else { return [] }
        let access = AccessLevel(of: options, in: context)
        let initializers = options.memberBlock.members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }
        // If there is no initializer, the compiler writes one, but other modules cannot see it.
        guard !initializers.contains(where: \.signature.parameterClause.parameters.isEmpty),
            access > .module || !initializers.isEmpty
        else { return [] }
        return ["\(raw: access > .module ? access.modifier : "")init() {}"]
    }
}

extension StructDeclSyntax {
    /// The names of the properties that are options.
    fileprivate func declaredOptions(in context: some MacroExpansionContext) -> [TokenSyntax] {
        memberBlock.members.flatMap { member -> [TokenSyntax] in
            if let condition = member.decl.as(IfConfigDeclSyntax.self) {
                context.complain(
                    at: condition.clauses.first?.poundKeyword ?? .poundIfToken(),
                    "@Options cannot tell whether an #if holds: move the options out of it, or declare all by hand"
                )
            }
            guard let property = member.decl.as(VariableDeclSyntax.self), !property.isOfType else { return [] }
            return property.bindings.compactMap { property.option($0, in: context) }
        }
    }
}

extension VariableDeclSyntax {
    fileprivate var isOfType: Bool { modifiers.contains { ["static", "class"].contains($0.name.text) } }

    /// The name of a property that is an option. `nil` if it is computed or cannot be an option.
    fileprivate func option(_ binding: PatternBindingSyntax, in context: some MacroExpansionContext) -> TokenSyntax? {
        guard !binding.isComputed else { return nil }
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
            context.complain(at: binding.pattern, "an option has a name of its own: write a 'var' for each")
            return nil
        }
        let option = name.bareName
        if bindingSpecifier.tokenKind == .keyword(.let) {
            context.complain(
                at: bindingSpecifier,
                "a session sets '\(option)', which a constant cannot be: write 'var', or 'static let' where it is none",
                corrections: [.writing("var", over: bindingSpecifier, "write 'var'")])
            return nil
        }
        if let hidden = modifiers.first(where: {
            ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil
        }) {
            context.complain(
                at: hidden, "an option is there to be set: take '\(hidden.name.text)' away from '\(option)'",
                corrections: [.removing(hidden, "take '\(hidden.name.text)' away")])
            return nil
        }
        if let lazy = modifiers.first(where: { $0.name.text == "lazy" }) {
            context.complain(
                at: lazy, "an option has its default from the beginning: take 'lazy' away from '\(option)'",
                corrections: [.removing(lazy, "take 'lazy' away")])
            return nil
        }
        let type = bindings.last { $0.typeAnnotation != nil && $0.position >= binding.position }?.typeAnnotation?.type
        if let type, type.isSecret {
            context.complain(
                at: type,
                "options are recorded with their session, so '\(option)' cannot be a secret: send it in an event")
            return nil
        }
        guard binding.initializer != nil || type?.is(OptionalTypeSyntax.self) == true else {
            context.complain(
                at: name,
                "'\(option)' has no value where a client sets none: write a default, '= …', or make it optional")
            return nil
        }
        return name
    }
}

extension PatternBindingSyntax {
    /// Whether it has a getter. A property with only observers is stored.
    fileprivate var isComputed: Bool {
        switch accessorBlock?.accessors {
        case .getter: true
        case .accessors(let accessors):
            accessors.contains { !["willSet", "didSet"].contains($0.accessorSpecifier.text) }
        case nil: false
        }
    }
}
