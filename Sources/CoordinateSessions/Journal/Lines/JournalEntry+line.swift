internal import Coordinate

extension JournalEntry {
    /// Reads a line of an exported journal. What it does not know is left out.
    ///
    /// - Parameter appVersion: The version of the app that recorded it, where the line does not say.
    package init(line: [UInt8], recordedBy appVersion: String) throws(UnreadableJSON) {
        let fields = try JSONFields(line)
        let version = try fields.int("version")
        let time = try fields.time("time")
        guard case .object = fields["payload"], let payload = fields["payload"] else {
            throw fields.refusal("payload", "an object")
        }
        let isHandled = try fields.bool("handled")
        var origin = Origin.client
        if let name = fields["origin"] {
            guard let known = name.string.flatMap(Origin.init) else {
                let names = Origin.allCases.map(\.rawValue).joined(separator: ", ")
                throw fields.refusal("origin", "one of \(names)")
            }
            origin = known
        }
        self.init(
            version: version, time: time,
            appVersion: fields["appVersion"] == nil ? appVersion : try fields.string("appVersion"),
            event: try fields.string("event"), payload: payload, at: try fields.string("at"), isHandled: isHandled,
            handledBy: fields["handledBy"] == .null ? nil : try fields.string("handledBy"),
            path: try fields.string("path"), origin: origin, pending: try fields.optionalString("pending"))
    }
}
