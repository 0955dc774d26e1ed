/// A deep link that waits for a guard to grant it.
struct ParkedLink {
    /// The path it leads to.
    let path: RoutePath
    /// The coordinator whose guard it waits for.
    let keeper: Anchor
    /// Whether that guard grants it now.
    let isGranted: () -> Bool
}
