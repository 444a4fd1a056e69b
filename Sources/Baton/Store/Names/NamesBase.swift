/// The names of a store at one moment, over which other tables lie.
struct NamesBase: Sendable {
    let names: NameTable.Names
    let records: RecordNumbersBase
    let customDataID: DataID.Function?
    let resultWords: Int
    let rootType: TypeID
    let idKey: StorageKeyID
    let connections: ConnectionKeys
}

/// A table of numbers that is complete. Any number of tables may lie over it.
final class RecordNumbersBase: Sendable {
    let numbers: RecordNumbers

    init(_ numbers: RecordNumbers) { self.numbers = numbers }
}
