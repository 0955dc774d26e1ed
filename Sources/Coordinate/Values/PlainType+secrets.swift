extension PlainType {
    var holdsSecret: Bool {
        isSecret || fields.contains(where: \.type.holdsSecret) || items?.holdsSecret == true
    }

    /// Returns a value for recording: with only the declared fields, and without secrets. An object type that declares
    /// no fields allows any.
    ///
    /// - Parameter keepingOthers: Whether undeclared fields stay.
    func recorded(_ value: PlainValue, keepingOthers: Bool = false) -> PlainValue {
        switch value {
        case .object(let values) where kind == .object && !fields.isEmpty:
            fields.recorded(values, keepingOthers: keepingOthers)
        case .array(let values):
            .array(items.map { type in values.map { type.recorded($0, keepingOthers: keepingOthers) } } ?? values)
        default: value
        }
    }

    /// Returns a recorded value with the text "secret" for each of its secrets.
    func fillingInSecrets(of value: PlainValue) -> PlainValue {
        switch value {
        case .object(let values) where kind == .object: fields.fillingInSecrets(of: values)
        case .array(let values): .array(items.map { type in values.map(type.fillingInSecrets) } ?? values)
        default: value
        }
    }

    func checkSecrets(of value: PlainValue) throws(PlainValueError) {
        switch value {
        case .object where kind == .object: try fields.checkSecrets(of: value)
        case .array(let values):
            guard let items else { return }
            for (index, value) in values.enumerated() {
                try PlainValueError.at("\(index)") { () throws(PlainValueError) in try items.checkSecrets(of: value) }
            }
        default: return
        }
    }

    /// The reason why no payload can contain a value of this type; `nil` if one can.
    ///
    /// A secret is lost when its event is replayed. So nothing that a turn can read may depend on it: not whether there
    /// is one, nor how many there are.
    var problem: String? {
        if let fault { return fault }
        if isSecret, isOptional { return "is a secret, and so cannot be optional: require it, or declare two events" }
        guard let items else { return fields.problem }
        if items.isSecret { return "is a list of secrets: use a list of objects that have one each" }
        return items.problem.map { "has items, each of which \($0)" }
    }
}

extension [EventField] {
    /// Returns the values of these fields, without secrets.
    ///
    /// - Parameter keepingOthers: Whether values stay that belong to none of these fields.
    func recorded(_ values: [PlainField], keepingOthers: Bool = false) -> PlainValue {
        .object(
            values.compactMap { value in
                guard let field = first(where: { $0.name == value.name }) else { return keepingOthers ? value : nil }
                if field.isSecret { return nil }
                return PlainField(value.name, field.type.recorded(value.value, keepingOthers: keepingOthers))
            })
    }

    /// Returns a recorded object with the text "secret" for each of its secrets.
    func fillingInSecrets(of values: [PlainField]) -> PlainValue {
        let known = values.map { value in
            let type = first { $0.name == value.name }?.type
            return PlainField(value.name, type?.fillingInSecrets(of: value.value) ?? value.value)
        }
        let missing = filter { field in field.isSecret && !values.contains { $0.name == field.name } }
        return .object(known + missing.map { PlainField($0.name, "secret") })
    }

    /// Checks that an object sent by a client contains its secrets. A recorded object has none.
    func checkSecrets(of object: PlainValue) throws(PlainValueError) {
        for field in self where field.type.holdsSecret {
            let value = object[field: field.name]
            guard field.isSecret else {
                guard let value else { continue }
                try PlainValueError.at(field.name) { () throws(PlainValueError) in
                    try field.type.checkSecrets(of: value)
                }
                continue
            }
            guard let value else { throw PlainValueError("is missing").at(field.name) }
            if field.type.kind == .string, value.string == nil {
                throw PlainValueError("must be a string").at(field.name)
            }
            if value == .null { throw PlainValueError("must not be null").at(field.name) }
        }
    }

    /// The reason why these fields cannot be declared together; `nil` if they can.
    var problem: String? {
        for (index, field) in enumerated() {
            if self[..<index].contains(where: { $0.name == field.name }) { return "has two fields \"\(field.name)\"" }
            if field.name == "event" {
                return "has a field \"event\", which is reserved for the name of the action: rename it"
            }
            if let problem = field.type.problem { return "has a field \"\(field.name)\" that \(problem)" }
        }
        return nil
    }
}
