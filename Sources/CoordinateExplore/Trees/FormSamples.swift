import Coordinate

/// The payloads with which a form is tried.
///
/// The first is the one that it shows. Then each input has its first sample, and then one input after the other each of
/// its further samples: all combinations would soon be too many.
struct FormSamples {
    private let shown: PlainValue
    private var inputs: [(field: String, values: [PlainValue])] = []

    init(_ action: Action, of app: ExploredApp, in dependencies: (any AppDependenciesProtocol)?) {
        shown = action.payload
        for input in action.inputs {
            let declared = app.entered(input.field, of: action.event)
            inputs.append((input.field, declared.isEmpty ? Self.values(of: input) : declared))
        }
    }

    /// The values to try where the app declares no samples.
    private static func values(of input: Action.Input) -> [PlainValue] {
        if let choices = input.choices { return choices.map(\.value) }
        if input.type.isSecret { return [.string("secret")] }
        switch (input.type.kind, input.value) {
        case (.bool, .bool(let isOn)): return [.bool(isOn), .bool(!isOn)]
        case (.bool, _): return [.bool(true), .bool(false)]
        case (.string, .string("")), (.string, .null): return [.string("sample")]
        case (.int, .null): return [.int(1)]
        case (.double, .null): return [.double(1.5)]
        default: return []
        }
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
