import CoordinateTesting
import Foundation

extension TortureClient {
    /// Follows one session after the other, each to its end. Continues at the last version after a server has ended.
    mutating func follow(_ number: Int, sharing places: Int) async {
        while !Task.isCancelled {
            // After the end of the run, it does not follow another session.
            if ledger.isOver { return }
            await follow(ledger.shared(number % places), as: number)
        }
    }

    private mutating func follow(_ session: String, as number: Int) async {
        ledger.leave(number)
        while !Task.isCancelled {
            guard let client = anyClient() else {
                await pause()
                continue
            }
            let newest = ledger.history(of: session).newest
            let last = ledger.streams[number]?.version
            do {
                let stream = try await client.follow(after: last, headers: ["Session": session])
                ledger.count(.reconnects)
                var isFirst = last == nil
                for await message in stream {
                    if message.event == "end" {
                        ledger.leave(number)
                        return ledger.miss(session, by: "stream \(number)")
                    }
                    if isFirst { ledger.see(message.id ?? -1, of: session, atLeast: newest, by: "stream \(number)") }
                    isFirst = false
                    ledger.receive(number, of: session, message)
                }
            } catch let error as UnexpectedAnswer where error.answer.status == 404 {
                ledger.leave(number)
                return ledger.miss(session, by: "stream \(number)")
            } catch let error as UnexpectedAnswer where error.answer.status != 503 {
                report("following", error.answer)
            } catch {
                await pause()
            }
        }
    }
}
