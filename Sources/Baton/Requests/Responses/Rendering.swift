/// A page that was rendered in passes until it asked for no new request, with a report on the passes.
public struct Rendering<Page> {
    /// The result of the last pass.
    public let page: Page
    /// The number of passes.
    public let passes: Int
    /// The requests that the page still waited for when the time or the passes were over, in the order in which they
    /// began; empty for a settled page.
    public let open: [AskedRequest]
    /// The passes that asked for requests only after a response had arrived, in order.
    public let waterfalls: [AskedRequest.Waterfall]
    /// True if the last pass asked for no new request and no request was open.
    public let isSettled: Bool
}

extension Rendering: Sendable where Page: Sendable {}
