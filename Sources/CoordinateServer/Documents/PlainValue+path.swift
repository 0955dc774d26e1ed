internal import Coordinate

extension PlainValue {
    /// The fields of an object; none of any other value.
    var fields: [PlainField] {
        if case .object(let fields) = self { fields } else { [] }
    }

    /// The value below fields of objects in objects. `nil` removes it, and a new one comes last.
    subscript(path: String...) -> PlainValue? {
        get { self[path[...]] }
        set { self[path[...]] = newValue }
    }

    subscript(path: ArraySlice<String>) -> PlainValue? {
        get { path.reduce(self) { $0?[field: $1] } }
        set {
            guard let name = path.first else {
                self = newValue ?? .null
                return
            }
            var fields = fields
            let index = fields.firstIndex { $0.name == name }
            if path.count == 1, newValue == nil {
                if let index { fields.remove(at: index) }
            } else {
                var value = index.map { fields[$0].value } ?? .object([])
                value[path.dropFirst()] = newValue
                fields.replaceSubrange(
                    (index ?? fields.endIndex)..<(index.map { $0 + 1 } ?? fields.endIndex),
                    with: [PlainField(name, value)])
            }
            self = .object(fields)
        }
    }
}
