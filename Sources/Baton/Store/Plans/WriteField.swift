/// A field of an object in a response; it never changes.
struct WriteField: @unchecked Sendable {
    enum Kind: UInt8, Sendable {
        case int
        case float
        case text
        case boolean
        case id
        case unmapped
        case mapped
        case object
    }

    /// The response key in quotes, followed by a colon, as most servers send it.
    private let keyBytes: FixedBytes
    /// The first 16 bytes of the key, and a mask of the bytes in use. Most keys are not longer.
    let words: SIMD2<UInt64>
    let mask: SIMD2<UInt64>
    /// The length of `"key":`.
    let keyLength: Int
    /// A view of the bytes in `keyBytes`.
    let keyView: UnsafeRawBufferPointer
    let key: StorageKeyID
    let kind: Kind
    let listDepth: Int
    let type: BoundType
    /// The position in the artifact of the conversion of a mapped scalar.
    let conversion: Int
    /// The type of the field's objects, and the node of their selection sets.
    let composite: BoundType.Composite?
    let child: WriteNode?
    /// The ordinal of `child`; below 0 if there is none.
    let childOrdinal: Int
    /// True if the field's type is an interface or a union.
    let isAbstract: Bool
    let isID: Bool
    /// The work to do when a response brings the field; nearly always empty.
    let works: [FieldWork]
    /// The label of a list with `@stream`; nil for other fields.
    let stream: String?
    /// True if the field has works, or is a list with `@stream`.
    let hasWorks: Bool
    /// True if the record must be known before the value is read, because the field has a child or works.
    let needsRecord: Bool
    /// True if the value can be read before the record is known. The objects of the value look up the record when they
    /// need it.
    let mayBeOpen: Bool
    /// True if the field is neither a list nor an object and has no works.
    let isPlain: Bool
    /// True if the field may be null and has no works.
    let isPlainNull: Bool

    init(
        _ responseKey: String, _ key: StorageKeyID, _ type: BoundType, _ child: WriteNode?, isID: Bool,
        works: [FieldWork], stream: String?
    ) {
        let bytes = Array("\"\(responseKey)\":".utf8)
        keyBytes = FixedBytes(bytes)
        keyView = keyBytes.view
        keyLength = bytes.count
        var words = SIMD2<UInt64>.zero
        var mask = SIMD2<UInt64>.zero
        for (index, byte) in bytes.prefix(16).enumerated() {
            words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8)
            mask[index / 8] |= 0xFF << UInt64(index % 8 * 8)
        }
        (self.words, self.mask) = (words, mask)
        self.key = key
        self.type = type
        listDepth = type.listDepth
        self.child = child
        childOrdinal = child?.ordinal ?? -1
        self.isID = isID
        self.works = works
        self.stream = stream
        hasWorks = !works.isEmpty || stream != nil
        needsRecord = child != nil || hasWorks
        mayBeOpen = child != nil && type.listDepth <= 1 && !hasWorks
        var composite: BoundType.Composite?
        var conversion = 0
        switch type.leaf {
        case .int: kind = .int
        case .float: kind = .float
        case .text: kind = .text
        case .boolean: kind = .boolean
        case .id: kind = .id
        case .unmapped: kind = .unmapped
        case .mapped(let position):
            kind = .mapped
            conversion = position
        case .object(let type):
            kind = .object
            composite = type
        }
        self.composite = composite
        isAbstract = composite?.isAbstract ?? false
        isPlain = type.listDepth == 0 && composite == nil && !hasWorks
        isPlainNull = !type.isNonNull(0) && !hasWorks
        self.conversion = conversion
    }
}

extension WriteField {
    /// Returns true if `key`, with escapes replaced, is the field's response key.
    func isNamed(_ key: UnsafeRawBufferPointer) -> Bool {
        key.count == keyLength &- 3 && keyView[1..<(keyLength - 2)].elementsEqual(key)
    }

    func isNamed(_ key: String) -> Bool { keyView[1..<(keyLength - 2)].elementsEqual(key.utf8) }
}

/// The work of the store when a response brings a field.
enum FieldWork: Sendable {
    /// A handler keeps a copy of the field under another key.
    case copy(BoundMarks.Handle)
    /// A directive such as `@appendEdge` changes connections or records.
    case mutation(BoundMarks.Mutation)
}

/// Bytes at a fixed address; they never change.
final class FixedBytes: @unchecked Sendable {
    /// The bytes; valid as long as this object lives.
    let view: UnsafeRawBufferPointer

    init(_ bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
        copy.copyBytes(from: bytes)
        view = UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])
    }

    deinit { view.deallocate() }
}
