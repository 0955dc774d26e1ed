extension Action {
    /// A field of a form: a value of the event's payload that the user enters.
    ///
    /// ```swift
    /// Action.Input("country", title: "Country", choices: [.init("de", title: "Germany"), .init("fr", title: "France")])
    /// ```
    ///
    /// The event's declaration determines its type, and whether it is required. The payload contains its value. A
    /// ``Secret`` is shown without its value.
    public struct Input: Equatable, Sendable {
        /// The name of the value in the payload.
        public let field: String
        /// The text beside it.
        public let title: String
        /// How it is entered; `nil` for the usual way for its type.
        public let kind: Kind?
        /// The reason why the app refused the entry, as a sentence for the user; `nil` if there is none.
        public let error: String?
        /// The values to choose from; `nil` if the user may enter any value.
        public private(set) var choices: [Choice]?
        /// The type of its values.
        public private(set) var type = PlainType.string
        /// The value that is shown; null if there is none.
        public private(set) var value = PlainValue.null

        /// How a text is entered: with which keyboard, and what the client may suggest. It does not restrict what is
        /// accepted.
        public enum Kind: String, Sendable {
            /// An address of a mailbox.
            case email
            /// A phone number.
            case phone
            /// A web address.
            case url
            /// A day, as in ISO 8601: `2026-11-29`.
            case date
            /// A time of day, as in ISO 8601: `09:30`.
            case time
            /// A code that is used once, such as one from a message.
            case oneTimeCode
            /// A text of several lines.
            case multiline
            /// Words to search for.
            case search
        }

        /// A value to choose, with its text for the user.
        public struct Choice: Equatable, Sendable {
            /// The value that clients send.
            public let value: PlainValue
            /// The text for it.
            public let title: String

            /// Creates a choice.
            public init(_ value: some PlainValueConvertible, title: String) {
                self.init(plain: value.plainValue, title: title)
            }

            init(plain value: PlainValue, title: String) {
                self.value = value
                self.title = title
            }
        }

        /// Creates a field.
        ///
        /// - Parameters:
        ///   - field: The name of the value in the payload, as the event declares it.
        ///   - title: The text beside it.
        ///   - kind: How it is entered; `nil` for the usual way for its type.
        ///   - error: The reason why the app refused the entry, as a sentence for the user.
        ///   - choices: The values to choose from. `nil` offers the choices of the type, such as an enum's cases, under
        ///     their own names.
        public init(
            _ field: String, title: String, kind: Kind? = nil, error: String? = nil, choices: [Choice]? = nil
        ) {
            self.field = field
            self.title = title
            self.kind = kind
            self.error = error
            self.choices = choices
        }

        func filled(from declared: EventField, of payload: PlainValue) -> Input {
            var input = self
            input.type = declared.type
            input.value = declared.isSecret ? .null : payload[field: field] ?? .null
            input.choices = choices ?? declared.type.choices?.map { Choice(plain: $0, title: $0.text) }
            return input
        }
    }
}
