/// The number of an optimistic layer of one store. Later layers have greater numbers and are above earlier ones.
package struct LayerID: Sendable, Hashable, Comparable {
    let number: UInt64

    /// The level below every layer.
    static let base = LayerID(number: 0)
    /// The level above every layer.
    static let top = LayerID(number: .max)

    /// Returns true if the left layer was added first, so that the right layer is above it.
    package static func < (left: LayerID, right: LayerID) -> Bool { left.number < right.number }
}
