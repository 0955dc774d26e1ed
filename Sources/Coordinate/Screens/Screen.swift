/// The content of a screen, as values.
public struct Screen: Equatable, Sendable {
    /// The name of the screen: `TeamsDetails`.
    public let name: String
    /// The text at its top.
    public let title: String?
    /// How the screen is shown above the screen below it.
    public let style: Style
    /// The state of its content.
    public let status: Status
    /// A sentence about the state, such as why loading failed.
    public let message: String?
    /// The sections of its rows, top to bottom.
    public let sections: [Section]
    /// Its rows, top to bottom: first those without a section, then those of each section.
    public let rows: [Row]
    /// The text in place of the rows; `nil` if there are rows, or the app has none.
    public let emptyText: String?
    /// The actions that it offers, without those of the rows.
    public let actions: [Action]
    /// A value for clients that draw more than rows; null if the screen has none. See ``HasContent``.
    public let content: PlainValue

    /// How a screen is shown above the screen below it.
    public enum Style: String, Sendable {
        /// It fills the space it is shown in.
        case page
        /// It is a modal, or inside one.
        case sheet
        /// It is an ``Alert``: a title, a message, and actions to choose from.
        case alert
    }

    /// The state of a screen's content.
    public enum Status: String, Sendable {
        /// All content is loaded.
        case ready
        /// Some content is still loading.
        case loading
        /// Some content could not be loaded.
        case failed
    }

    /// A part of a list: rows that belong together, with a title above and a footer below them.
    public struct Section: Equatable, Sendable {
        /// The id of the section, unique on a screen.
        public let id: String
        /// The text above its rows.
        public let title: String?
        /// The text below its rows.
        public let footer: String?

        /// Creates a section. Its rows name it by its id.
        public init(id: String, title: String? = nil, footer: String? = nil) {
            self.id = id
            self.title = title
            self.footer = footer
        }
    }

    /// One line of a list.
    ///
    /// ```swift
    /// Screen.Row(
    ///     id: item.product.id, title: item.product.name, value: price(of: item),
    ///     action: Action(title: item.product.name, event: ShopEvents.Catalogue.didSelect(item.product)),
    ///     actions: [
    ///         Action(title: "One less", event: ShopEvents.Cart.remove(item.product)),
    ///         Action(title: "One more", event: ShopEvents.Cart.add(item.product)),
    ///     ])
    /// ```
    public struct Row: Equatable, Sendable {
        /// The id of the row, unique among the rows of a screen.
        ///
        /// If several rows have the same id, the later ones are shown as `id-2`, `id-3`, with a
        /// ``Diagnostic/rowsAlike(screen:id:)``.
        public let id: String
        /// The first line of its text.
        public let title: String
        /// The second line of its text.
        public let subtitle: String?
        /// The text at the end of the row, such as a price or a quantity.
        public let value: String?
        /// The image at the beginning of the row.
        public let image: Image?
        /// The id of the section that it is in; `nil` if it is above all sections.
        public let section: String?
        /// Whether the row is marked, for example with a star for a favorite or a tick for a choice. In documents it is
        /// `favorite`.
        public let isFavorite: Bool
        /// The action of a tap on the row.
        public let action: Action?
        /// The action of a swipe that deletes the row.
        public let delete: Action?
        /// Further buttons of the row.
        public let actions: [Action]

        /// The actions of the row: the tap, the swipe, and the further buttons.
        package var offered: [Action] { [action, delete].compactMap(\.self) + actions }

        /// Creates a row.
        public init(
            id: String, title: String, subtitle: String? = nil, value: String? = nil, image: Image? = nil,
            section: String? = nil, isFavorite: Bool = false, action: Action? = nil, delete: Action? = nil,
            actions: [Action] = []
        ) {
            self.id = id
            self.title = title
            self.subtitle = subtitle
            self.value = value
            self.image = image
            self.section = section
            self.isFavorite = isFavorite
            self.action = action
            self.delete = delete
            self.actions = actions
        }
    }
}
