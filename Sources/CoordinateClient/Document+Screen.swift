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
        /// The parts of the list, top to bottom.
        public let sections: [Section]
        /// Those without a section first, then those of each section.
        public let rows: [Row]
        /// The text in place of the rows; `nil` if there are rows, or no text.
        public let empty: String?
        public let actions: [Action]
        /// A value for clients that draw more than rows; ``JSON/null`` if there is none.
        public let content: JSON
    }

    /// Rows that belong together.
    public struct Section: Decodable, Equatable, Sendable {
        public let id: String
        /// The text above its rows.
        public let title: String?
        /// The text below its rows.
        public let footer: String?
    }

    /// An image: a file, a symbol, or letters.
    public struct Image: Decodable, Equatable, Sendable {
        /// The address of a file on the server; `nil` if it is not a file.
        public let url: String?
        /// The name of a symbol; `nil` if it is not one.
        public let symbol: String?
        /// Up to three letters or digits; `nil` if it has none.
        public let letters: String?
        /// The color of the symbol, or behind the letters, such as `#e8002d`; `nil` for the client's own.
        public let color: String?
        /// What the image says; empty if the text beside it says as much.
        public let alt: String
    }

    /// One line of a list.
    public struct Row: Decodable, Equatable, Sendable {
        public let id: String
        /// The id of its section; `nil` if it is above all sections.
        public let section: String?
        public let title: String
        public let subtitle: String?
        public let image: Image?
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
        /// `primary`, `destructive` or `cancel`; `nil` if it is an action like any other.
        public let role: String?
        /// The path of the screen that it leads to; `nil` if it is not a link.
        public let opens: String?
        /// The fields of a form; empty if the action is only a button.
        public let inputs: [Input]

        private enum CodingKeys: CodingKey {
            case title, event, payload, role, opens, inputs
        }

        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            title = try fields.decode(String.self, forKey: .title)
            event = try fields.decode(String.self, forKey: .event)
            payload = try fields.decode(JSON.self, forKey: .payload)
            role = try fields.decodeIfPresent(String.self, forKey: .role)
            opens = try fields.decodeIfPresent(String.self, forKey: .opens)
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
        /// How a text is entered: `email`, `phone`, `url`, `date`, `time`, `oneTimeCode`, `multiline` or `search`; `nil`
        /// for the usual way.
        public let kind: String?
    }

    /// A value to choose.
    public struct Choice: Decodable, Hashable, Sendable {
        public let value: JSON
        public let title: String
    }
}
