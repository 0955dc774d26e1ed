/// The coordinator that owns work or a timer. The outcome is emitted there, and the work is dropped when that
/// coordinator ends.
///
/// ```swift
/// perform("payment", owner: .root, { [api = dependencies.api] work in try await api.pay(order, key: work.key) },
///         done: AppEvents.Payment.didPay, failed: AppEvents.Payment.didFail)
/// ```
public enum WorkOwner: CustomStringConvertible {
    /// The coordinator that requests the work.
    case asker
    /// The root of the tree.
    case root
    /// The nearest ancestor of a class. If there is none, the turn fails with
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
