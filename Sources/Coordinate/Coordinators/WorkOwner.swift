/// The coordinator that work or a timer belongs to: its outcome is emitted there, and it is dropped when that coordinator
/// ends.
///
/// ```swift
/// perform("payment", owner: .root, { [api = dependencies.api] work in try await api.pay(order, key: work.key) },
///         done: AppEvents.Payment.didPay, failed: AppEvents.Payment.didFail)
/// ```
public enum WorkOwner: CustomStringConvertible {
    /// The coordinator that asks.
    case asker
    /// The root of the tree.
    case root
    /// The nearest coordinator of a class above the one that asks. If there is none, the turn fails with
    /// ``Diagnostic/noSuchOwner(coordinator:work:owner:)``.
    case ancestor(any Coordinating.Type)

    public var description: String {
        switch self {
        case .asker: "asker"
        case .root: "root"
        case .ancestor(let type): "\(type)"
        }
    }
}
