public import Coordinate

/// The options of a session of the racing app.
public struct RacingOptions: SessionOptions {
    /// Whether a driver's details show the driver's last results. They are loaded whenever the details are opened.
    public var liveResults = false

    public init() {}

    public static let declaration = OptionDeclaration<Self>(
        .option("liveResults", \.liveResults)
    )
}
