/// A snapshot as it was read and checked, before anything of it is in a store.
struct DecodedSnapshot {
    enum Identity {
        /// A text that stands so in the bytes.
        case bytes(start: Int, end: Int)
        /// A position in `texts`.
        case text(Int)
        /// The place of a record: the position of its parent and that of the storage key in `keys`.
        case place(parent: UInt32, key: UInt32, index: UInt32)
    }

    /// What records have in common.
    struct Form {
        let type: String
        /// Positions in `keys`, each once, in the order of the values.
        let keys: [Int]
        /// Of each field, whether one of its values links to records.
        var hasLinks: [Bool]
        /// Where in a row the field `id` is; below 0 if there is none.
        let idPlace: Int
        /// The block to which the next row goes; below 0 before the first.
        fileprivate(set) var block = -1
    }

    /// Rows of one form. The number of a record in the values is its position in `ids`.
    struct Block {
        let form: Int
        let rows: RecordBlock
    }

    struct Record {
        let id: UInt32
        /// The position of its block; below 0 if it is known not to exist.
        let block: Int32
        let row: UInt16
        /// A fetch, nobody, a handler, or beyond the fetches a pattern.
        let fetched: Int32
    }

    struct Operation {
        let name: String
        /// Canonical JSON.
        let variables: String
        let age: Duration
        let moment: Int
        let isRevoked: Bool
        let keys: FetchKeys
    }

    var ids: [Identity] = []
    var texts: [String] = []
    /// Storage keys, each once.
    var keys: [String] = []
    private(set) var forms: [Form] = []
    private(set) var blocks: [Block] = []
    private(set) var records: [Record] = []
    /// Of each field of a record the fetch, nobody or a handler.
    var patterns: [[Int]] = []
    var facts: [(type: String, abstractType: String, holds: Bool)] = []
    var errors: [(id: Int, key: String, errors: [GraphQLError])] = []
    var storeInvalidated: Int?
    var invalidatedRecords: [(id: Int, moment: Int)] = []
    var invalidatedTypes: [(type: String, moment: Int)] = []
    var operations: [Operation] = []
    var fetches: [(age: Duration, moment: Int)] = []
    /// One more than the highest moment.
    var moments = 0
    /// A record may have an `id` that is not its data ID.
    var idsMayDiffer = false

    mutating func addForm(_ type: String, _ keys: [Int]) {
        let idPlace = keys.firstIndex { self.keys[$0].hasSameBytes(as: "id") } ?? -1
        forms.append(
            Form(type: type, keys: keys, hasLinks: Array(repeating: false, count: keys.count), idPlace: idPlace))
    }

    mutating func noteLinks(_ form: Int, _ place: Int) { forms[form].hasLinks[place] = true }

    /// Adds a record whose values are moved away from where they are; there are as many as the form has fields.
    mutating func addRecord(_ id: Int, form: Int, fetched: Int, _ values: inout FieldBuffer) {
        let width = forms[form].keys.count
        var block = forms[form].block
        if block < 0 || blocks[block].rows.isFull {
            // After a block that got full another one will.
            blocks.append(Block(form: form, rows: RecordBlock(width: width, capacity: block < 0 ? 0 : 32)))
            block = blocks.count - 1
            forms[form].block = block
        }
        let row = blocks[block].rows.addRow(moving: values.takeAll(width))
        records.append(
            Record(
                id: UInt32(truncatingIfNeeded: id), block: Int32(truncatingIfNeeded: block),
                row: UInt16(truncatingIfNeeded: row), fetched: Int32(truncatingIfNeeded: fetched)))
    }

    /// Adds a record that is known not to exist.
    mutating func addDeleted(_ id: Int) {
        records.append(Record(id: UInt32(truncatingIfNeeded: id), block: -1, row: 0, fetched: -1))
    }
}
