import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The program that the compiler asks for what the macros write.
@main
struct CoordinateMacroPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        AppOnlyMacro.self, EventsMacro.self, OptionsMacro.self, PathMacro.self, RoutesMacro.self,
    ]
}
