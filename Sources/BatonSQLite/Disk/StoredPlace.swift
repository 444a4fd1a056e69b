import Baton

/// Where a record lies: the record with an identity of its own to which it belongs, the end of its identity behind that
/// of the owner, and the part of the owner in which it stands.
///
/// A part is a row. The parts of an owner are next to each other, and so are the items of a list in them.
struct StoredPlace {
    /// The greatest number of parts; a key has 20 bits for it.
    static let parts: UInt64 = 1 << 20

    let owner: ArraySlice<UInt8>
    let end: ArraySlice<UInt8>
    let part: UInt64

    /// The root, of which each field has a part for what lies below it, because there may be any number of fields.
    private static let root = Array("client:root".utf8)
    /// The items of a list that stand in one part; the first ones stand with the list.
    private static let itemsOfPart: UInt64 = 64
    private static let firstItems: UInt64 = 8

    init(_ identity: DiskIdentity) {
        let bytes = identity.bytes
        let start = bytes.firstIndex(of: DiskIdentity.key) ?? bytes.endIndex
        owner = bytes[..<start]
        end = bytes[start...]
        part = Self.part(of: end, isRoot: start == Self.root.count && owner.elementsEqual(Self.root))
    }

    /// Returns the part of what lies below an owner. It depends on the identity alone, so that nobody has to keep it.
    /// What has the same part by chance stands in one row, and is as right there.
    private static func part(of end: ArraySlice<UInt8>, isRoot: Bool) -> UInt64 {
        guard !end.isEmpty else { return 0 }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var hasArguments = false
        var ofField: UInt64?
        var position = end.startIndex
        while position < end.endIndex {
            let byte = end[position]
            switch byte {
            case DiskIdentity.key where position > end.startIndex:
                if ofField == nil { ofField = isRoot || hasArguments ? hash : 0 }
            case DiskIdentity.index:
                if ofField == nil { ofField = isRoot || hasArguments ? hash : 0 }
                let item = end[(position + 1)...].prefix(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                if item >= firstItems { return number(hash &+ item / itemsOfPart) }
                // The numbers of a list's first items are no part of the hash, and may look like other bytes.
                position = min(position + 5, end.endIndex)
                continue
            default: if byte == UInt8(ascii: "(") { hasArguments = true }
            }
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            position += 1
        }
        let field = ofField ?? (isRoot || hasArguments ? hash : 0)
        return field == 0 ? 0 : number(field)
    }

    private static func number(_ hash: UInt64) -> UInt64 { 1 + hash % (parts - 1) }

    /// Returns the key of a part of an owner with this number.
    static func key(_ owner: Int64, _ part: UInt64) -> Int64 { owner << 20 | Int64(part) }
}
