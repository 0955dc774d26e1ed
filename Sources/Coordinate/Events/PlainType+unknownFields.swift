extension PlainType {
    /// Checks that a value has declared fields only, at every depth. An object that declares none may have any.
    func checkFields(of value: PlainValue) throws(PlainValueError) {
        switch value {
        case .object(let values) where kind == .object && !fields.isEmpty:
            try fields.checkFields(of: values)
        case .array(let values):
            guard let items else { return }
            for (index, value) in values.enumerated() {
                try PlainValueError.at("\(index)") { () throws(PlainValueError) in try items.checkFields(of: value) }
            }
        default: return
        }
    }
}

extension [EventField] {
    /// Checks that all values of an object are of these fields, and that what they hold is declared as well.
    func checkFields(of values: [PlainField]) throws(PlainValueError) {
        for value in values {
            // Letters that look alike may be others: what is compared is what was sent.
            guard let field = first(where: { $0.name.utf8.elementsEqual(value.name.utf8) }) else {
                let nearest = Spelling.nearest(to: value.name, among: map(\.name))
                throw PlainValueError("is not declared", nearest: nearest).at(value.name)
            }
            try PlainValueError.at(value.name) { () throws(PlainValueError) in
                try field.type.checkFields(of: value.value)
            }
        }
    }
}
