/// What gives pages their look: the name of the app, and files by their addresses.
public struct PageLook: Hashable, Sendable {
    /// The name of the app, for the header and the title; `nil` for none.
    public var app: String?
    /// The style sheets, in the order in which they apply.
    public var styleSheets: [String]
    /// The drawing with the symbols of images, each with its name as id; `nil` for pages without symbols.
    public var symbols: String?
    /// The image that stands for the app in the browser's tabs; `nil` for the browser's own.
    public var icon: String?
    /// The module that pages load; `nil` for pages without scripts.
    public var script: String?

    /// Creates a look; without files, pages have the browser's own.
    public init(
        app: String? = nil, styleSheets: [String] = [], symbols: String? = nil, icon: String? = nil,
        script: String? = nil
    ) {
        self.app = app
        self.styleSheets = styleSheets
        self.symbols = symbols
        self.icon = icon
        self.script = script
    }
}
