/// The addresses of pages.
public enum PageAddress {
    /// The address that leads to the session's screen, and to which forms are sent.
    public static let root = "/app"

    /// The address of the screen at a path of the app: `/app/main/teams`.
    public static func of(_ path: String) -> String { root + path }
}
