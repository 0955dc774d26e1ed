import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

extension TokenSyntax {
    /// The name without the backticks around it.
    var bareName: String { text.hasPrefix("`") && text.count > 2 ? String(text.dropFirst().dropLast()) : text }
}

extension String {
    /// The name as a variable is called: in backticks where it is a keyword.
    var asVariable: String { isValidSwiftIdentifier(for: .variableName) ? self : "`\(self)`" }

    /// The text in quotes, as source.
    var asLiteral: String { StringLiteralExprSyntax(content: self).description }

    /// The name of a type as that of a value: `team` of `Team`, `urlRequest` of `URLRequest`.
    var asValueName: String {
        let capitals = prefix { $0.isUppercase }
        let kept = capitals.count > 1 && capitals.count < count ? 1 : 0
        return capitals.dropLast(kept).lowercased() + dropFirst(capitals.count - kept)
    }
}

extension AttributeListSyntax {
    /// The attributes of a name, with a module in front or without.
    func all(named name: String) -> [AttributeSyntax] {
        compactMap { $0.as(AttributeSyntax.self) }.filter { TypeSyntax($0.attributeName).lastName == name }
    }
}

extension AttributeSyntax {
    /// The only argument, which has no label.
    var argument: ExprSyntax? {
        guard case .argumentList(let arguments) = arguments, arguments.count == 1 else { return nil }
        return arguments.first?.expression
    }
}

extension ExprSyntax {
    /// The text of a literal without values in it, nil of any other expression.
    var literalText: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }
}
