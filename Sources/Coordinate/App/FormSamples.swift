/// The payloads with which a form is tried.
///
/// The first is the one that the form shows. Then each input has its first sample. Then one input after the other has
/// each of its further samples: all combinations would soon be too many.
package struct FormSamples {
    private let shown: PlainValue
    private var inputs: [(field: String, values: [PlainValue])] = []
    /// The fields for which only the shown value can be tried.
    package private(set) var withoutSamples: [String] = []

    /// - Parameter samples: The samples of the app.
    package init(_ action: Action, _ samples: [Sample]) {
        shown = action.payload
        for input in action.inputs {
            let declared = samples.entered(input.field, of: action.event)
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

    /// The payload with the first sample of each input.
    package var filled: PlainValue {
        shown.setting(inputs.compactMap { input in input.values.first.map { PlainField(input.field, $0) } })
    }

    package var payloads: [PlainValue] {
        let filled = filled
        return [shown, filled]
            + inputs.flatMap { input in
                input.values.dropFirst().map { filled.setting([PlainField(input.field, $0)]) }
            }
    }
}
