/// A page that was rendered until nothing new was asked for, and how it came about.
public struct Rendering<Page> {
    /// What the last pass returned.
    public let page: Page
    /// The number of passes.
    public let passes: Int
    /// The requests that the page still waited for when the time or the passes were over, in the order in which they
    /// began; empty for a settled page.
    public let open: [AskedRequest]
    /// The passes that asked for something only after an answer had come, in order.
    public let waterfalls: [AskedRequest.Waterfall]
    /// True if the last pass asked for nothing and nothing was open.
    public let isSettled: Bool
}

extension Rendering: Sendable where Page: Sendable {}
