import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import CoordinateMacroPlugin

/// A source after its macros were expanded.
struct Expansion {
    /// An error of a macro.
    struct Complaint {
        let sentence: String
        /// The source from the error's place on.
        let place: Substring
        /// The source after each fix-it.
        let corrected: [String]
    }

    static let macros = [
        "AppOnly": MacroSpec(type: AppOnlyMacro.self),
        "Events": MacroSpec(type: EventsMacro.self, conformances: ["DeclaredEvents", "Equatable"]),
        "Options": MacroSpec(type: OptionsMacro.self, conformances: ["SessionOptions"]),
        "Path": MacroSpec(type: PathMacro.self),
        "Routes": MacroSpec(type: RoutesMacro.self, conformances: ["DeclaredRoutes"]),
    ]

    let complaints: [Complaint]

    init(_ source: String) {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "Shop", fullFilePath: "Shop.swift")])
        _ = file.expand(
            macroSpecs: Self.macros,
            contextGenerator: {
                BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
            })
        complaints = context.diagnostics.map { diagnostic in
            let place = context.offset(of: diagnostic.position, in: diagnostic.node)
            return Complaint(
                sentence: diagnostic.message, place: source.dropFirst(place),
                corrected: diagnostic.fixIts.map { $0.applied(to: source, in: context) })
        }
    }
}

extension BasicMacroExpansionContext {
    fileprivate func offset(of position: AbsolutePosition, in node: Syntax) -> Int {
        location(for: position, anchoredAt: node, fileName: "").offset
    }
}

extension FixIt {
    fileprivate func applied(to source: String, in context: BasicMacroExpansionContext) -> String {
        changes.reduce(source) { source, change in
            guard case .replaceText(let range, let text, let node) = change else { return source }
            let start = context.offset(of: range.lowerBound, in: node)
            let end = context.offset(of: range.upperBound, in: node)
            return source.prefix(start) + text + source.dropFirst(end)
        }
    }
}

/// Expects that a source expands to another one without an error.
func expectExpansion(
    _ source: String, _ expanded: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
    assertMacroExpansion(
        source, expandedSource: expanded, macroSpecs: Expansion.macros,
        failureHandler: { Issue.record("\($0.message)", sourceLocation: sourceLocation) })
}
