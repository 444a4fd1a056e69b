/// The versions of any number of tags in bounded memory.
///
/// Tags with the same place have the same version, so that a change of one may outdate responses of another.
struct TagVersions: Sendable {
    private var places = [UInt64](repeating: 0, count: Self.count)
    private var last: UInt64 = 0

    private static let count = 1024

    /// The versions of tags, in their order.
    func of(_ tags: [ResponseTag]) -> [UInt64] { tags.map { places[Self.place($0)] } }

    /// Gives tags a version that no tag had before.
    mutating func change(_ tags: Set<ResponseTag>) {
        last += 1
        for tag in tags { places[Self.place(tag)] = last }
    }

    private static func place(_ tag: ResponseTag) -> Int { Int(UInt(bitPattern: tag.hashValue) % UInt(count)) }
}
