extension EventDeclaration {
    /// The reason why no event can have one of these names, as a sentence; `nil` if they can. A bad domain is reported
    /// once, and not for each case.
    static func nameFaults(domain: String, names: [String]) -> [String] {
        let rule = "an event is called domain.name, and neither part has a dot or a space or is empty"
        if let problem = domain.problemAsName { return ["\(Event.self): the domain \"\(domain)\" \(problem): \(rule)"] }
        return names.compactMap { name in
            name.problemAsName.map { "\(Event.self): the event name \"\(name)\" \($0): \(rule)" }
        }
    }

    /// The faults of the cases that make another case than their closure matches. A case of which no event can be made
    /// is passed over.
    ///
    /// - Parameter entered: The app's samples for a field of an event.
    func mismatches(
        in dependencies: (any AppDependenciesProtocol)?, entered: (_ field: String, _ event: String) -> [PlainValue]
    ) -> [String] {
        cases.compactMap { declared in
            guard declared.details.declaredFields.problem == nil else { return nil }
            let fields = declared.details.fields(dependencies)
            let samples = fields.map { entered($0.name, declared.name) }
            for number in 0..<PlainType.sampleCount {
                let payload = zip(fields, samples).map { field, samples in
                    PlainField(field.name, samples.first ?? field.type.sample(number))
                }
                guard let event = try? declared.details.decode(.object(payload), dependencies) else { continue }
                return declared.payload(event) == nil
                    ? "\(Event.self): \(declared.name) makes the case \(caseName(of: event)), \(mismatchRemedy)" : nil
            }
            return nil
        }
    }
}

/// The name of the case of an enum's value, without its values, which may be a user's.
func caseName(of value: Any) -> String { String(String(describing: value).prefix { $0 != "(" }) }

/// The end of a sentence on a declaration that makes another case than it matches.
let mismatchRemedy = "which its closure does not match: name the same case in both"

extension String {
    /// The reason why this cannot be a part of an event's full name, `nil` if it can: the end of a sentence.
    fileprivate var problemAsName: String? {
        if isEmpty { return "is empty" }
        if contains(".") { return "has a dot" }
        return contains(where: \.isWhitespace) ? "has a space" : nil
    }
}
