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
