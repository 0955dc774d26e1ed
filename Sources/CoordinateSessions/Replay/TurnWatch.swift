/// Somebody who wants to know what the app is doing on which thread: one that traps ends the process, and one that does not
/// come to an end keeps its thread.
///
/// It is told by the thread itself, with each turn and each picture of a tree, and has to be quick. They are not nested.
package protocol TurnWatch: Sendable {
    /// The app is about to run on this thread.
    ///
    /// - Parameters:
    ///   - event: The event's name, or what else the app is run for: no part of it comes from a client.
    ///   - version: The version that this leads to.
    func turnBegins(_ event: String, version: Int)
    func turnEnds()

    /// This thread's number.
    var thread: UInt64 { get }
    /// Whether the app has kept a thread for so long that nobody should wait for it.
    func isStuck(_ thread: UInt64) -> Bool
}
