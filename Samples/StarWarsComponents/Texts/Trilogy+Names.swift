extension Trilogy {
    /// The trilogies in the order of the story.
    public static let all: [Trilogy] = [.prequel, .original, .sequel]

    /// Such as `prequel`, also in addresses.
    public var name: String { rawValue.lowercased() }

    /// Such as `Prequel trilogy`.
    public var title: String { name.prefix(1).uppercased() + name.dropFirst() + " trilogy" }

    /// The trilogy of this name.
    public init?(name: String) {
        guard let trilogy = Self.all.first(where: { $0.name == name }) else { return nil }
        self = trilogy
    }
}
