/// A snapshot that was read and checked, and is not in a store yet.
struct DecodedSnapshot {
    enum Identity {
        /// A text that stands unescaped in the bytes.
        case bytes(start: Int, end: Int)
        /// A text, by its position in `texts`.
        case text(Int)
        /// The place of a record: the position of its parent in `ids`, and the position of the storage key in `keys`.
        case place(parent: UInt32, key: UInt32, index: UInt32)
    }

    /// The type and the keys that records have in common.
    struct Form {
        let type: String
        /// The positions in `keys`, each once, in the order of the values.
        let keys: [Int]
        /// For each field, true if one of its values links to records.
        var hasLinks: [Bool]
        /// The position in a row of the field `id`; below 0 if there is none.
        let idPlace: Int
        /// The block that receives the next row; below 0 before the first row.
        fileprivate(set) var block = -1
    }

    /// Rows of one form. Links in the values hold positions in `ids` instead of record numbers.
    struct Block {
        let form: Int
        let rows: RecordBlock
    }

    struct Record {
        let id: UInt32
        /// The position of the record's block; below 0 if the record is deleted.
        let block: Int32
        let row: UInt16
        /// The source of the record's fields: a fetch, `nobody`, `handler`, or a pattern, whose numbers follow those of
        /// the fetches.
        let fetched: Int32
    }

    struct Operation {
        let name: String
        /// The variables as canonical JSON.
        let variables: String
        let age: Duration
        let moment: Int
        let isRevoked: Bool
        let keys: FetchKeys
    }

    var ids: [Identity] = []
    var texts: [String] = []
    /// The storage keys, each once.
    var keys: [String] = []
    private(set) var forms: [Form] = []
    private(set) var blocks: [Block] = []
    private(set) var records: [Record] = []
    /// The sources of a record's fields, one for each field: a fetch, `nobody` or `handler`.
    var patterns: [[Int]] = []
    var facts: [(type: String, abstractType: String, holds: Bool)] = []
    var errors: [(id: Int, key: String, errors: [GraphQLError])] = []
    var storeInvalidated: Int?
    var invalidatedRecords: [(id: Int, moment: Int)] = []
    var invalidatedTypes: [(type: String, moment: Int)] = []
    var operations: [Operation] = []
    var fetches: [(age: Duration, moment: Int)] = []
    /// One more than the greatest moment.
    var moments = 0
    /// True if a record may have an `id` that differs from its data ID.
    var idsMayDiffer = false

    mutating func addForm(_ type: String, _ keys: [Int]) {
        let idPlace = keys.firstIndex { self.keys[$0].hasSameBytes(as: "id") } ?? -1
        forms.append(
            Form(type: type, keys: keys, hasLinks: Array(repeating: false, count: keys.count), idPlace: idPlace))
    }

    mutating func noteLinks(_ form: Int, _ place: Int) { forms[form].hasLinks[place] = true }

    /// Adds a record and moves its values out of `values`, which has one value for each field of the form.
    mutating func addRecord(_ id: Int, form: Int, fetched: Int, _ values: inout FieldBuffer) {
        let width = forms[form].keys.count
        var block = forms[form].block
        if block < 0 || blocks[block].rows.isFull {
            // A form that has filled its first block will probably fill another one.
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

    /// Adds a deleted record.
    mutating func addDeleted(_ id: Int) {
        records.append(Record(id: UInt32(truncatingIfNeeded: id), block: -1, row: 0, fetched: -1))
    }
}
