internal import Coordinate

extension OfferedAction {
    /// The one action with a title. Actions that send the same event count as one.
    static func titled(_ title: String, in document: PlainValue) throws(ToolError) -> OfferedAction {
        let all = all(in: document)
        let matches = all.filter { $0.title.utf8.elementsEqual(title.utf8) }
        guard let first = matches.first else { throw .noAction(title, offered: all) }
        guard matches.allSatisfy({ $0.event == first.event && $0.payload == first.payload }) else {
            throw .severalActions(title, matches)
        }
        return first
    }

    /// The payload of the form with what was typed in place of the values shown.
    func payload(typing input: PlainValue?) throws(ToolError) -> PlainValue {
        guard case .object(let typed)? = input else { return payload }
        for field in typed where self.input(of: field) == nil {
            throw .unknownField(["input", field.name], known: inputs.compactMap { $0[field: "field"]?.string })
        }
        return payload.setting(read(typed))
    }

    /// What was typed into the form. Numbers may be JSON text.
    func read(_ typed: [PlainField]) -> [PlainField] {
        typed.map { field in
            let type = input(of: field)?[field: "type"]?.string
            return type == "integer" || type == "number" ? PlainField(field.name, field.value.asNumber) : field
        }
    }

    private func input(of field: PlainField) -> PlainValue? {
        inputs.first { $0[field: "field"] == .string(field.name) }
    }
}
