/// A change of the screen as a value, so that it can wait while another one is carried out.
struct NavigationRequest {
    /// The coordinator that is to be shown; nil where some are to leave.
    let target: CoordinatorNode?
    /// The terms on which the target is to be shown.
    var terms: ShowingTerms
    /// Whether a child that ended by itself leaves the screen: that never stands in another request's way.
    let isRemoval: Bool
    /// Changes the screen. Run by the container that is asked, under its own order of requests.
    let carryOut: () -> Void
    private let completion: (() -> Void)?

    /// Makes a request; it takes over the terms that were set on its target.
    init(
        showing target: CoordinatorNode? = nil, isRemoval: Bool = false, completion: (() -> Void)? = nil,
        _ carryOut: @escaping () -> Void
    ) {
        self.target = target
        self.isRemoval = isRemoval
        self.completion = completion
        self.carryOut = carryOut
        terms = target?.takeTerms() ?? ShowingTerms()
    }

    /// Ends the request once it was carried out.
    func complete() {
        completion?()
    }

    /// Ends the request without it: refused, or overtaken by a later one.
    func giveUp() {
        terms.result?.tell()
        completion?()
    }
}
