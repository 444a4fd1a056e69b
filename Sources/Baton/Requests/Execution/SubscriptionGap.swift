// Reconnecting has several owners, this one for what was missed; ReadingTheDesign.md names the others.

/// Notices that events of a subscription may have been missed: its connection was there, was lost or paused, and is
/// there again.
struct SubscriptionGap: Sendable {
    private var wasConnected = false
    private var isOpen = false

    /// Notes an event, which proves a connection of which nothing was said.
    mutating func noteEvent() { wasConnected = true }

    /// Follows the states of the connection. Returns true if the connection is there again.
    mutating func follow(_ state: TransportState) -> Bool {
        guard state == .connected else {
            isOpen = wasConnected
            return false
        }
        defer { (wasConnected, isOpen) = (true, false) }
        return isOpen
    }
}
