extension World {
    /// The sizes of a world.
    public struct Limits: Sendable, Hashable {
        /// The lengths of lists.
        public var lists: ClosedRange<Int>
        /// The lengths of connections, and of lists that page.
        public var connections: ClosedRange<Int>
        /// The number of entities of a type. Lists that are longer have further ones.
        public var entities: Int
        /// How many of a hundred nullable values are null.
        public var nulls: Int

        /// Makes limits, with defaults. Lengths are cut to 0 through 10,000, the number of entities to 1 through
        /// 10,000, and the share of nulls to 0 through 100.
        public init(
            lists: ClosedRange<Int> = 1...3, connections: ClosedRange<Int> = 6...12, entities: Int = 20, nulls: Int = 0
        ) {
            self.lists = lists.clamped(to: 0...Self.longest)
            self.connections = connections.clamped(to: 0...Self.longest)
            self.entities = min(max(entities, 1), Self.longest)
            self.nulls = min(max(nulls, 0), 100)
        }

        /// The greatest length of a list.
        static let longest = 10_000
        /// About the bytes that mutations may add to a world. A client that never stops must not exhaust memory.
        static let changes = 64 << 20
    }
}
