package import Testing

/// Repeats a check until it holds, for two minutes at most: other tests may keep the machine busy for long. The
/// condition may depend on a low-priority thread, so the test pauses after some checks, for longer each time.
package nonisolated(nonsending) func waitUntil(
    _ failure: Comment = "The condition did not come true in time.", location: SourceLocation = #_sourceLocation,
    _ condition: nonisolated(nonsending) () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(120)
    var checks = 0
    var isLast = false
    while !isLast {
        // On a busy machine the whole time may pass between two checks. Then there is one more.
        isLast = ContinuousClock.now >= end
        if try await condition() { return }
        checks += 1
        if checks < 20 { await Task.yield() } else { try await Task.sleep(for: .milliseconds(min(checks - 19, 50))) }
    }
    Issue.record(failure, sourceLocation: location)
}
