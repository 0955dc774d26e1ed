import SwiftSyntax

extension TypeSyntax {
    /// The type that this is an optional of, nil where it is none, as far as can be seen.
    var wrapped: TypeSyntax? {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
        return argument(of: "Optional")
    }

    /// True for a list or a dictionary, or an optional of one.
    var isList: Bool {
        if let wrapped { return wrapped.isList }
        return self.is(ArrayTypeSyntax.self) || self.is(DictionaryTypeSyntax.self)
            || ["Array", "Dictionary", "Set"].contains(lastName)
    }

    /// True for the library's type of what is written nowhere, or an optional of it.
    var isSecret: Bool { (wrapped ?? self).lastName == "Secret" }

    /// True for one of the standard library's plain types, which are nobody's routes.
    var isPlain: Bool {
        [
            "Bool", "Character", "Double", "Float", "Int", "Int8", "Int16", "Int32", "Int64", "String", "Substring",
            "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
        ].contains(lastName)
    }

    /// The name of a type, of a nested one the last part; nil where it has none.
    var lastName: String? {
        self.as(IdentifierTypeSyntax.self)?.name.bareName ?? self.as(MemberTypeSyntax.self)?.name.bareName
    }

    /// The name that a value of the type might have: `team` for `Team`, `Team?` and `League.Team`.
    var valueName: String? {
        guard let name = (wrapped ?? self).lastName, name != "Self" else { return nil }
        return name.asValueName
    }

    private func argument(of name: String) -> TypeSyntax? {
        guard let generic = self.as(IdentifierTypeSyntax.self), generic.name.text == name,
            case .type(let argument) = generic.genericArgumentClause?.arguments.first?.argument
        else { return nil }
        return argument
    }
}
