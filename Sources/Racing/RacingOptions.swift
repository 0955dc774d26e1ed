public import Coordinate

/// What may be different from session to session.
public struct RacingOptions: SessionOptions {
    /// Whether a driver's details show the driver's last results, which are asked for whenever they are opened.
    public var liveResults = false

    public init() {}

    public static let declaration = OptionDeclaration<Self>(
        .option("liveResults", \.liveResults)
    )
}
