/// The fields to expect in an object of one type, in the order in which a server sends them.
final class WriteSelections: Sendable {
    /// A type condition that the response decides: the object has the key `__isX`, or it lacks the key.
    struct Discriminator: Sendable {
        let key: [UInt8]
        let abstractType: TypeID
        /// The enclosing discriminators by position; nil, which always counts as present, stands for none. The absence
        /// of the key proves something only if one of these discriminators is present.
        var parents: Set<Int?>
    }

    let ordinal: Int
    /// The fields; valid as long as this object lives.
    let fields: WriteFields
    let discriminators: [Discriminator]
    let hasDiscriminators: Bool
    /// The position of the field `id`.
    let idField: Int?
    /// True if there is a field `id` after other fields than `__typename`.
    let hasLateID: Bool
    /// True if `id` is the only field and has no works.
    let isMereLink: Bool
    /// True if `__typename` is selected like other fields.
    let hasTypename: Bool
    /// The shape of a record that got every field in order; nil if two fields have the same storage key.
    let shape: Shape?

    init(ordinal: Int, fields: [WriteField], discriminators: [Discriminator], names: NameTable) {
        self.ordinal = ordinal
        self.fields = WriteFields(fields)
        self.discriminators = discriminators
        hasDiscriminators = !discriminators.isEmpty
        idField = fields.firstIndex { $0.isID }
        hasLateID = fields.contains { $0.isID } && fields.first { !$0.isNamed("__typename") }?.isID == false
        hasTypename = fields.contains { $0.isNamed("__typename") }
        isMereLink = fields.count == 1 && fields[0].isID && fields[0].kind == .id && !fields[0].hasWorks
        let keys = fields.map(\.key)
        shape = Set(keys).count == keys.count ? names.shape(keys) : nil
    }

    deinit { fields.free() }
}
