public import Baton

extension World {
    /// What a generator of leaf values knows: the field, and a number that belongs to this value alone.
    ///
    /// The same value is always drawn from the same number. A generator must depend on nothing else.
    public struct Draw: Sendable {
        /// The name of the object type.
        public let typeName: String
        /// The name of the field.
        public let fieldName: String
        /// The number of the value.
        public let number: UInt64

        /// Makes a draw, for tests of a generator.
        public init(typeName: String, fieldName: String, number: UInt64) {
            self.typeName = typeName
            self.fieldName = fieldName
            self.number = number
        }

        /// A whole number from a range. Draws with different salts are independent of each other.
        public func int(_ range: ClosedRange<Int>, _ salt: UInt64 = 0) -> Int {
            let count = UInt64(bitPattern: Int64(range.upperBound &- range.lowerBound)) &+ 1
            let drawn = WorldHash.mixed(number &+ salt &* 0x9E37_79B9_7F4A_7C15)
            return range.lowerBound &+ Int(truncatingIfNeeded: count == 0 ? drawn : drawn % count)
        }

        /// One of some texts; the empty text if there are none. Draws with different salts are independent of each
        /// other.
        public func text(of texts: [String], _ salt: UInt64 = 0) -> String {
            texts.isEmpty ? "" : texts[int(0...texts.count - 1, salt)]
        }
    }

    /// Makes the values of a custom scalar.
    public typealias ScalarGenerator = @Sendable (Draw) -> JSONValue
}
