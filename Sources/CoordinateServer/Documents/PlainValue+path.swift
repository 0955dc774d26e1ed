internal import Coordinate

extension PlainValue {
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
            let rest = path.dropFirst()
            guard newValue != nil || !rest.isEmpty else {
                self = .object(fields.filter { $0.name != name })
                return
            }
            var value = self[field: name] ?? .object([])
            value[rest] = newValue
            self = setting([PlainField(name, value)])
        }
    }
}
