extension EventDeclaration {
    /// Returns the reasons why these names are not allowed, as sentences. A bad domain is reported once, not for each
    /// case.
    static func nameFaults(domain: String, names: [String]) -> [String] {
        let rule = "an event's name is domain.name, and neither part may be empty or contain a dot or a space"
        if let problem = domain.problemAsName { return ["\(Event.self): the domain \"\(domain)\" \(problem): \(rule)"] }
        return names.compactMap { name in
            name.problemAsName.map { "\(Event.self): the event name \"\(name)\" \($0): \(rule)" }
        }
    }

    /// Returns the faults of the cases that create a different case from the one that their closure matches, or the same
    /// case as an earlier one. It skips a case for which it cannot create an event.
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
                guard declared.payload(event) != nil else {
                    return "\(Event.self): \(declared.name) creates the case \(caseName(of: event)), \(mismatchRemedy)"
                }
                guard let first = self.declared(event)?.declared.name, first != declared.name else { return nil }
                return "\(Event.self): \(first) and \(declared.name) both create the case \(caseName(of: event)): name "
                    + "another case in one of them"
            }
            return nil
        }
    }
}

/// Returns the name of the case of an enum's value, without its associated values, which may be confidential.
func caseName(of value: Any) -> String { String(String(describing: value).prefix { $0 != "(" }) }

/// The end of a sentence about a declaration that creates a different case from the one that it matches.
let mismatchRemedy = "which its closure does not match: name the same case in both"

extension String {
    /// The reason why this cannot be a part of an event's full name, as the end of a sentence; `nil` if it can.
    fileprivate var problemAsName: String? {
        if isEmpty { return "is empty" }
        if contains(".") { return "has a dot" }
        return contains(where: \.isWhitespace) ? "has a space" : nil
    }
}
