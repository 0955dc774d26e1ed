internal import Coordinate
internal import JSON

extension Place {
    /// The line of a session in a file of places, with a line feed.
    ///
    /// - Parameter session: The session; `nil` for an exported journal.
    package func line(of session: SessionID?) -> [UInt8] {
        var json = JSONWriter<[UInt8]>(capacity: 2_048)
        json.line {
            $0.object {
                if let session { $0.field("session", session.description) }
                $0.field("version", version)
                $0.field("path", path)
                $0.field("leaf", leaf)
                $0.field("screen", screen)
                $0.field("style", style)
                $0.field("status", status)
                $0.array("offers", offers) { $0.offer($1) }
                $0.array("rows", rows) { $0.row($1) }
                $0.texts("texts", texts)
                $0.array("pending", pending) { $0.string($1) }
                $0.field("parked", parked)
                $0.texts("facts", facts)
            }
        }
        return json.finish()
    }

    package init(line: [UInt8]) throws(UnreadableJSON) {
        // Actions may have payloads as deep as an app likes.
        let fields = try JSONFields(line, maximumDepth: 256)
        version = try fields.int("version")
        path = try fields.string("path")
        leaf = try fields.string("leaf")
        screen = try fields.string("screen")
        style = try fields.string("style")
        status = try fields.string("status")
        offers = try fields.array("offers").map { value throws(UnreadableJSON) in try Offer(JSONFields(value)) }
        rows = try fields.array("rows").map { value throws(UnreadableJSON) in try Row(JSONFields(value)) }
        texts = fields.texts("texts")
        pending = try fields.array("pending").compactMap(\.string)
        parked = try fields.optionalString("parked")
        facts = fields.texts("facts")
    }
}

extension Place.Offer {
    fileprivate init(_ fields: JSONFields) throws(UnreadableJSON) {
        let names = try fields.array("inputs").compactMap(\.string)
        let forms = try fields.array("form").map(JSONFields.init)
        self.init(
            event: try fields.string("event"), payload: fields["payload"] ?? .object([]),
            inputs: try names.enumerated().map { index, name throws(UnreadableJSON) in
                let form = index < forms.count ? forms[index] : JSONFields(.null)
                return Place.Input(
                    field: name, title: try form.optionalString("title") ?? name,
                    error: try form.optionalString("error"), choices: try form.array("choices").compactMap(\.string))
            },
            coordinator: try fields.string("coordinator"), title: try fields.string("title"),
            row: try fields.optionalString("row"))
    }
}

extension Place.Row {
    fileprivate init(_ fields: JSONFields) throws(UnreadableJSON) {
        self.init(
            id: try fields.string("id"), title: try fields.string("title"),
            subtitle: try fields.optionalString("subtitle"), value: try fields.optionalString("value"),
            isFavorite: fields["favorite"] == .bool(true))
    }
}

extension JSONFields {
    fileprivate func texts(_ name: String) -> [Place.Text] {
        guard case .object(let fields) = self[name] else { return [] }
        return fields.compactMap { field in field.value.string.map { Place.Text(name: field.name, text: $0) } }
    }
}

extension JSONWriter<[UInt8]> {
    fileprivate mutating func offer(_ offer: Place.Offer) {
        object {
            $0.field("event", offer.event)
            $0.key("payload")
            $0.plain(offer.payload)
            $0.array("inputs", offer.inputs) { $0.string($1.field) }
            $0.field("coordinator", offer.coordinator)
            $0.field("title", offer.title)
            if !offer.inputs.isEmpty { $0.array("form", offer.inputs) { $0.input($1) } }
            if let row = offer.row { $0.field("row", row) }
        }
    }

    private mutating func input(_ input: Place.Input) {
        object {
            $0.field("title", input.title)
            if let error = input.error { $0.field("error", error) }
            if !input.choices.isEmpty { $0.array("choices", input.choices) { $0.string($1) } }
        }
    }

    fileprivate mutating func row(_ row: Place.Row) {
        object {
            $0.field("id", row.id)
            $0.field("title", row.title)
            if let subtitle = row.subtitle { $0.field("subtitle", subtitle) }
            if let value = row.value { $0.field("value", value) }
            if row.isFavorite { $0.field("favorite", true) }
        }
    }

    fileprivate mutating func texts(_ name: StaticString, _ texts: [Place.Text]) {
        object(name) {
            for text in texts { $0.field(PlainField(text.name, .string(text.text))) }
        }
    }
}
