internal import Coordinate

extension OfferedAction {
    /// The one action with a title. Actions that send the same event count as one.
    static func titled(_ title: String, in document: PlainValue) throws(ToolError) -> OfferedAction {
        let all = all(in: document)
        let matches = all.filter { $0.title == title }
        guard let first = matches.first else { throw .noAction(title, offered: all) }
        guard matches.allSatisfy({ $0.event == first.event && $0.payload == first.payload }) else {
            throw .severalActions(title, matches)
        }
        return first
    }

    /// The payload of the form with what was typed in place of the values shown.
    func payload(typing input: PlainValue?) throws(ToolError) -> PlainValue {
        guard case .object(let typed)? = input else { return payload }
        let known = inputs.compactMap { $0[field: "field"]?.string }
        for field in typed where !known.contains(field.name) {
            throw .unknownField(["input", field.name], known: known)
        }
        return payload.setting(typed)
    }
}
