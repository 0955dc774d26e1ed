internal import Dispatch
internal import Foundation

/// What happens at the first of some signals, in place of their default action. Later ones have that again.
///
/// Until ``cancel()``, the program ignores the signals otherwise.
struct Interruption {
    private let numbers: [Int32]
    private let sources: [any DispatchSourceSignal]

    /// - Parameter handle: Called with the signal, on a thread whose signals are blocked.
    init(by numbers: [Int32], _ handle: @escaping @Sendable (Int32) -> Void) {
        self.numbers = numbers
        sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                handle(number)
                signal(number, SIG_DFL)
            }
            source.resume()
            return source
        }
    }

    func cancel() {
        for source in sources { source.cancel() }
        for number in numbers { signal(number, SIG_DFL) }
    }
}
