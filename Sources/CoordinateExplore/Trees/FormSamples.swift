import Coordinate

/// The payloads with which a form is tried.
///
/// The first is the one that the form shows. Then each input has its first sample. Then one input after the other has
/// each of its further samples: all combinations would soon be too many.
struct FormSamples {
    private let shown: PlainValue
    private var inputs: [(field: String, values: [PlainValue])] = []
    /// The fields for which only the shown value can be tried.
    private(set) var withoutSamples: [String] = []

    init(_ action: Action, of app: ExploredApp) {
        shown = action.payload
        for input in action.inputs {
            let declared = app.entered(input.field, of: action.event)
            let values = declared.isEmpty ? Self.values(of: input) : declared
            if values.isEmpty { withoutSamples.append(input.field) }
            inputs.append((input.field, values))
        }
    }

    /// The values to try if the app declares no samples: the choices. A secret is never shown, so it has a value here.
    private static func values(of input: Action.Input) -> [PlainValue] {
        if let choices = input.choices { return choices.map(\.value) }
        if input.type.isSecret { return [.string("secret")] }
        guard input.type.kind == .bool else { return [] }
        return input.value == .bool(true) ? [.bool(true), .bool(false)] : [.bool(false), .bool(true)]
    }

    var payloads: [PlainValue] {
        let filled = inputs.reduce(shown) { payload, input in
            input.values.first.map { payload.setting(input.field, to: $0) } ?? payload
        }
        var payloads = [shown, filled]
        for input in inputs {
            for value in input.values.dropFirst() { payloads.append(filled.setting(input.field, to: value)) }
        }
        return payloads
    }
}

extension PlainValue {
    /// The object with another value in a field.
    func setting(_ name: String, to value: PlainValue) -> PlainValue {
        guard case .object(let fields) = self else { return self }
        guard fields.contains(where: { $0.name == name }) else { return .object(fields + [PlainField(name, value)]) }
        return .object(fields.map { $0.name == name ? PlainField(name, value) : $0 })
    }
}
