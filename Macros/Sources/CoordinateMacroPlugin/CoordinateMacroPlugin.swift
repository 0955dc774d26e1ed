import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The program that expands the macros for the compiler.
@main
struct CoordinateMacroPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        AppOnlyMacro.self, EventsMacro.self, OptionsMacro.self, PathMacro.self, RoutesMacro.self,
    ]
}
