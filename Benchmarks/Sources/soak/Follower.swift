import CoordinateClient
import Loopback
import SeededGenerator

/// A client that follows sessions, one after the other. It drops its stream now and then, and reconnects for the missed
/// versions.
struct Follower {
    let soak: Soak
    let shift: Shift
    var generator: SeededGenerator

    mutating func run() async {
        // Followers that stay to the end follow the last sessions until they end.
        while !shift.isOver || soak.isOver && !soak.isDone {
            if let session = soak.stage.any(using: &generator) {
                session.follow(1)
                await follow(session)
                session.follow(-1)
            }
            await pause(0.01...0.1)
        }
    }

    private mutating func pause(_ seconds: ClosedRange<Double>) async {
        try? await Task.sleep(for: generator.duration(seconds))
    }

    /// Follows a session until its end, or for a limited time.
    private mutating func follow(_ session: SoakSession) async {
        var last: Int?
        let client = SessionClient(url: soak.url, headers: ["Session": session.id])
        while session.phase != .left, !shift.isOver || soak.isOver {
            let least = session.version
            do {
                let stream = try await client.follow(after: last)
                session.use()
                soak.tally.count(.streams)
                let time = generator.duration(generator.once(in: 4) ? 5...40 : 0...5)
                let hasEnded: Bool
                (last, hasEnded) = try await read(stream, of: session, from: least, after: last, for: time)
                if hasEnded { return }
                soak.tally.count(.drops)
            } catch let error as UnexpectedAnswer {
                let status = error.answer.status
                if status == 503 {
                    soak.tally.count(.refusals)
                    await pause(1...2)
                    continue
                }
                // The session can end between two streams.
                if status == 404, session.phase != .open || session.mayBeOver { return }
                return soak.tally.fail(.followers, "A stream of \(session.id) was refused with \(status).")
            } catch {
                return soak.tally.fail(.followers, "A stream of \(session.id) failed: \(error)")
            }
            if generator.once(in: 6) { return }
            await pause(generator.once(in: 5) ? 1...4 : 0...0.5)
        }
    }

    /// Reads a stream for a limited time, and drops it then.
    ///
    /// - Parameters:
    ///   - least: A version that was acknowledged before the stream opened.
    ///   - last: The last version that was received before.
    /// - Returns: The last version that was received, and whether the session has ended.
    private func read(
        _ stream: CoordinateClient.LiveStream, of session: SoakSession, from least: Int, after last: Int?,
        for time: Duration
    ) async throws -> (last: Int?, hasEnded: Bool) {
        let tally = soak.tally
        let reading = Task { () throws -> (Int?, Bool) in
            var last = last
            for await message in stream {
                session.use()
                if message.event == "end" {
                    guard session.phase != .open, last == session.version else {
                        throw BenchmarkError(
                            "The stream ended at \(last ?? -1), but the session is at \(session.version).")
                    }
                    tally.pass(.followers)
                    return (last, true)
                }
                let newest = session.version + 1
                let isNext = last.map { message.id == $0 + 1 } ?? ((message.id ?? -1) >= least)
                guard message.event == "route", isNext, let version = message.id, version <= newest,
                    message.data.contains("\"session\":\"\(session.id)\",\"version\":\(version),")
                else {
                    throw BenchmarkError(
                        "After \(last ?? -1), with \(least) to \(newest) known, the stream sent \(message.event) "
                            + "\(message.id ?? -1): \(message.data.prefix(100))")
                }
                last = version
                tally.count(.versions)
            }
            // It was dropped below.
            if Task.isCancelled { return (last, false) }
            if let failure = stream.failure { throw failure }
            throw BenchmarkError("The server ended the stream without an `end` event.")
        }
        let end = ContinuousClock.now + time
        while ContinuousClock.now < end, session.phase != .left {
            session.use()
            guard (try? await Task.sleep(for: .milliseconds(200))) != nil else { break }
        }
        reading.cancel()
        return try await reading.value
    }
}
