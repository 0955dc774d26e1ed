internal import CoordinateServer
internal import MicroHTTPD

/// What a request for a page, or with a form, says besides its address. It outlives the request.
struct PageVisit: Sendable {
    let requester: Requester
    let isHead: Bool
    /// Whether the browser only loads the page ahead, in case that its user opens it.
    let isPrefetch: Bool
    /// The page for a request that another site led to, which opens no path; `nil` for any other request.
    let continuation: HTTPResponse?
    let traceparent: String?
    /// What the page says once; `nil` for nothing.
    let notice: PageNotice?
    let cookies: Cookies
}

/// What the page after a press says once.
enum PageNotice: String {
    /// The app accepted what was entered.
    case done
    /// The very same press had been carried out before.
    case repeated
    /// The screen had changed.
    case stale

    var notice: ScreenPage.Notice {
        switch self {
        case .done: .success("Your entries were accepted.")
        case .repeated: .success("You pressed twice. It was done once.")
        case .stale: .refusal("The screen had changed before you pressed, so check it and press again.")
        }
    }
}

extension Cookies {
    /// The header with what the next page says once.
    func announcement(_ notice: PageNotice) -> HTTPFields { self.notice(notice.rawValue) }
}
