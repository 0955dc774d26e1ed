import Foundation
import Loopback

/// A client that follows sessions, one after the other. It drops its stream now and then, and reconnects for the missed
/// versions.
struct Follower {
    let soak: Soak
    let shift: Shift
    var generator: SeededGenerator

    mutating func run() {
        // Followers that stay to the end follow the last sessions until they end.
        while !shift.isOver || soak.isOver && !soak.isDone {
            if let session = soak.stage.any(using: &generator) {
                session.follow(1)
                follow(session)
                session.follow(-1)
            }
            pause(0.01...0.1)
        }
    }

    private mutating func pause(_ seconds: ClosedRange<Double>) {
        usleep(UInt32(generator.duration(seconds) / .microseconds(1)))
    }

    /// Follows a session until its end, or for a limited time.
    private mutating func follow(_ session: SoakSession) {
        var last: Int?
        while session.phase != .left, !shift.isOver || soak.isOver {
            let least = session.version
            do {
                let stream = try LiveStream(port: soak.port, session: session.id, after: last)
                session.use()
                soak.tally.count(.streams)
                guard try follow(session, on: stream, from: least, &last) else { return }
                soak.tally.count(.drops)
            } catch let refusal as LiveStream.Refusal {
                if refusal.status == 503 {
                    soak.tally.count(.refusals)
                    pause(1...2)
                    continue
                }
                // The session can end between two streams.
                if refusal.status == 404, session.phase != .open || session.mayBeOver { return }
                return soak.tally.fail(.followers, "A stream of \(session.id) was refused with \(refusal.status).")
            } catch {
                return soak.tally.fail(.followers, "A stream of \(session.id) failed: \(error)")
            }
            if generator.once(in: 6) { return }
            pause(generator.once(in: 5) ? 1...4 : 0...0.5)
        }
    }

    /// Follows a session until the stream is dropped.
    ///
    /// - Parameters:
    ///   - least: A version that was acknowledged before the stream opened.
    ///   - last: The last version that it received.
    /// - Returns: Whether it can reconnect.
    private mutating func follow(
        _ session: SoakSession, on stream: LiveStream, from least: Int, _ last: inout Int?
    ) throws -> Bool {
        let end = ContinuousClock.now + generator.duration(generator.once(in: 4) ? 5...40 : 0...5)
        while ContinuousClock.now < end, session.phase != .left {
            let message = try stream.next(within: .milliseconds(200))
            session.use()
            guard let message else {
                if stream.isOver { throw BenchmarkError("The server ended the stream without an `end` event.") }
                if stream.lastHeard.duration(to: .now) > .seconds(15) {
                    throw BenchmarkError("There was no message or heartbeat for 15 s.")
                }
                continue
            }
            if message.event == "end" {
                if session.phase == .open {
                    throw BenchmarkError("The stream reports the end of a session that has not ended.")
                }
                guard last == session.version else {
                    throw BenchmarkError("The session ended at \(session.version), but the stream at \(last ?? -1).")
                }
                soak.tally.pass(.followers)
                return false
            }
            let newest = session.version + 1
            let isNext = last.map { message.version == $0 + 1 } ?? ((message.version ?? -1) >= least)
            guard message.event == "route", isNext, let version = message.version, version <= newest,
                message.data.contains("\"session\":\"\(session.id)\",\"version\":\(version),")
            else {
                throw BenchmarkError(
                    "After \(last ?? -1), with \(least) to \(newest) known, the stream sent \(message.event) "
                        + "\(message.version ?? -1): \(message.data.prefix(100))")
            }
            last = version
            soak.tally.count(.versions)
        }
        return true
    }
}
