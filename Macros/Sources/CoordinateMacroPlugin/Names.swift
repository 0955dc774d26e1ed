import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

extension TokenSyntax {
    /// The name without backticks.
    var bareName: String { text.hasPrefix("`") && text.count > 2 ? String(text.dropFirst().dropLast()) : text }
}

extension String {
    /// The name of a variable, in backticks if it is a keyword.
    var asVariable: String { isValidSwiftIdentifier(for: .variableName) ? self : "`\(self)`" }

    /// The text as a string literal in source.
    var asLiteral: String { StringLiteralExprSyntax(content: self).description }

    /// The name for a value of a type: `team` for `Team`, `urlRequest` for `URLRequest`.
    var asValueName: String {
        let capitals = prefix { $0.isUppercase }
        let kept = capitals.count > 1 && capitals.count < count ? 1 : 0
        return capitals.dropLast(kept).lowercased() + dropFirst(capitals.count - kept)
    }
}

extension AttributeListSyntax {
    /// The attributes with a name, with or without a module before it.
    func all(named name: String) -> [AttributeSyntax] {
        compactMap { $0.as(AttributeSyntax.self) }.filter { TypeSyntax($0.attributeName).lastName == name }
    }
}

extension AttributeSyntax {
    /// The only argument, without a label.
    var argument: ExprSyntax? {
        guard case .argumentList(let arguments) = arguments, arguments.count == 1 else { return nil }
        return arguments.first?.expression
    }
}

extension ExprSyntax {
    /// The text of a literal without interpolation. `nil` for any other expression.
    var literalText: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }
}
