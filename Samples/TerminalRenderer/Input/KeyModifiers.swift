/// The keys that were held while another one was pressed.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
    /// The bits, as terminals count them.
    public let rawValue: UInt8

    /// Makes a set from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The shift key.
    public static let shift = KeyModifiers(rawValue: 1)
    /// The alt key, which some keyboards call option or meta.
    public static let alt = KeyModifiers(rawValue: 2)
    /// The control key.
    public static let control = KeyModifiers(rawValue: 4)
}
