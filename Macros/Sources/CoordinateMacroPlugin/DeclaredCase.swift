import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A case of an enum in source.
struct DeclaredCase {
    /// A value of a case.
    struct Value {
        let syntax: EnumCaseParameterSyntax
        /// The name inside, otherwise the label. `nil` if it has neither.
        let name: String?

        var type: TypeSyntax { syntax.type }

        fileprivate init(_ syntax: EnumCaseParameterSyntax) {
            self.syntax = syntax
            let names = [syntax.secondName, syntax.firstName].compactMap { $0 }
            name = names.first { $0.tokenKind != .wildcard }?.bareName
        }
    }

    let element: EnumCaseElementSyntax
    /// The whole declaration after one `case`, with its attributes.
    let declaration: EnumCaseDeclSyntax
    let values: [Value]

    fileprivate init(_ element: EnumCaseElementSyntax, of declaration: EnumCaseDeclSyntax) {
        self.element = element
        self.declaration = declaration
        values = element.parameterClause?.parameters.map(Value.init) ?? []
    }

    /// The name without backticks.
    var name: String { element.name.bareName }
    /// The case as a value or a function: `.list`. `Self` can precede it.
    var reference: String { ".\(element.name.text)" }

    /// The closure that extracts the values from a case.
    ///
    /// - Parameter names: A name for each value within the closure.
    func extraction(_ names: [String]) -> String {
        let names = names.map(\.asVariable)
        let bindings = names.map { "let \($0)" }.joined(separator: ", ")
        let values = names.count == 1 ? names[0] : "(\(names.joined(separator: ", ")))"
        return "{\n    if case \(reference)(\(bindings)) = $0 { \(values) } else { nil }\n}"
    }
}

extension EnumDeclSyntax {
    /// The cases in order, without those whose names are duplicates.
    ///
    /// - Parameter macro: The macro's name for errors.
    func declaredCases(for macro: String, in context: some MacroExpansionContext) -> [DeclaredCase] {
        if let modifier = modifiers.first(where: { $0.name.text == "indirect" }) {
            complain(ofIndirect: modifier, in: context)
        }
        var cases: [DeclaredCase] = []
        for member in memberBlock.members {
            if let condition = member.decl.as(IfConfigDeclSyntax.self) {
                context.complain(
                    at: condition.clauses.first?.poundKeyword ?? .poundIfToken(),
                    "\(macro) cannot tell whether an #if holds: move the cases out of it, or declare all by hand"
                )
            }
            guard let declaration = member.decl.as(EnumCaseDeclSyntax.self) else { continue }
            if let modifier = declaration.modifiers.first(where: { $0.name.text == "indirect" }) {
                complain(ofIndirect: modifier, in: context)
            }
            for element in declaration.elements {
                let found = DeclaredCase(element, of: declaration)
                guard !cases.contains(where: { $0.name == found.name }) else {
                    context.complain(
                        at: element.name,
                        "two cases are called '\(found.name)', which \(macro) knows them by: name this one otherwise"
                    )
                    continue
                }
                cases.append(found)
            }
        }
        return cases
    }

    private func complain(ofIndirect modifier: DeclModifierSyntax, in context: some MacroExpansionContext) {
        context.complain(
            at: modifier, "the values of a case are plain and hold no other case of its enum: take 'indirect' away",
            corrections: [.removing(modifier, "take 'indirect' away")])
    }
}
