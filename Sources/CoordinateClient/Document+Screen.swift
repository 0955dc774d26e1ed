extension Document {
    /// The screen of the leaf.
    public struct Screen: Decodable, Equatable, Sendable {
        public let name: String
        public let title: String?
        /// `page`, `sheet` or `alert`.
        public let style: String
        /// `ready`, `loading` or `failed`.
        public let status: String
        /// A sentence about the status.
        public let message: String?
        public let rows: [Row]
        public let actions: [Action]
    }

    /// One line of a list.
    public struct Row: Decodable, Equatable, Sendable {
        public let id: String
        public let title: String
        public let subtitle: String?
        /// Whether the row is marked as a favorite.
        public let favorite: Bool
        /// The action of a tap; `nil` if there is none.
        public let action: Action?
        /// The action of a swipe; `nil` if there is none.
        public let delete: Action?
        /// The text at the end of the row.
        public let value: String?
        /// Further buttons of the row.
        public let actions: [Action]
    }

    /// An action that the user can take now: pass it to ``SessionClient/emit(_:entering:expecting:fileID:filePath:line:column:)``.
    public struct Action: Decodable, Hashable, Sendable {
        public let title: String
        public let event: String
        public let payload: JSON
        /// The fields of a form; empty if the action is only a button.
        public let inputs: [Input]

        private enum CodingKeys: CodingKey {
            case title, event, payload, inputs
        }

        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            title = try fields.decode(String.self, forKey: .title)
            event = try fields.decode(String.self, forKey: .event)
            payload = try fields.decode(JSON.self, forKey: .payload)
            inputs = try fields.decodeIfPresent([Input].self, forKey: .inputs) ?? []
        }
    }

    /// A field of a form.
    public struct Input: Decodable, Hashable, Sendable {
        /// The name of the field in the payload.
        public let field: String
        public let title: String
        /// The kind of its values, as in the catalog.
        public let type: String
        /// The displayed value.
        public let value: JSON?
        /// The reason why the app refused the entry; `nil` if it did not.
        public let error: String?
        public let choices: [Choice]?
        public let required: Bool
        public let secret: Bool
    }

    /// A value to choose.
    public struct Choice: Decodable, Hashable, Sendable {
        public let value: JSON
        public let title: String
    }
}
