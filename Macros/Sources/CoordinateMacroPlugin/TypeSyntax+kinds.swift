import SwiftSyntax

extension TypeSyntax {
    /// The wrapped type of an optional. `nil` if the source shows no optional.
    var wrapped: TypeSyntax? {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
        return argument(of: "Optional")
    }

    /// Whether the type is a list or a dictionary, or an optional of one.
    var isList: Bool {
        if let wrapped { return wrapped.isList }
        return self.is(ArrayTypeSyntax.self) || self.is(DictionaryTypeSyntax.self)
            || ["Array", "Dictionary", "Set"].contains(lastName)
    }

    /// Whether the type is the library's `Secret`, or an optional of it.
    var isSecret: Bool { (wrapped ?? self).lastName == "Secret" }

    /// Whether the type is one of the standard library's plain types, which cannot be a route.
    var isPlain: Bool {
        [
            "Bool", "Character", "Double", "Float", "Int", "Int8", "Int16", "Int32", "Int64", "String", "Substring",
            "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
        ].contains(lastName)
    }

    /// The last part of the type's name. `nil` if it has no name.
    var lastName: String? {
        self.as(IdentifierTypeSyntax.self)?.name.bareName ?? self.as(MemberTypeSyntax.self)?.name.bareName
    }

    /// A name for a value of the type: `team` for `Team`, `Team?` and `League.Team`.
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
