/// The files that give pages their look, by their addresses.
public struct PageLook: Hashable, Sendable {
    /// The style sheets, in the order in which they apply.
    public var styleSheets: [String]
    /// The image that stands for the app in the browser's tabs; `nil` for the browser's own.
    public var icon: String?
    /// The module that pages load; `nil` for pages without scripts.
    public var script: String?

    /// Creates a look; without files, pages have the browser's own.
    public init(styleSheets: [String] = [], icon: String? = nil, script: String? = nil) {
        self.styleSheets = styleSheets
        self.icon = icon
        self.script = script
    }
}
