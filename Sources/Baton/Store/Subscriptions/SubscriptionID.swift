/// Identifies one subscription of a store.
package struct SubscriptionID: Sendable, Hashable {
    let slot: UInt32
    /// The number of earlier subscriptions in the slot.
    let use: UInt32
}
