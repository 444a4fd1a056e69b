/// The values that a response has brought or confirmed, without values that the store has from other responses.
struct SaidValues {
    let normalizer: Normalizer
    let confirmed: Set<RecordID>
    var plan: BoundPlan { normalizer.plan }

    func value(_ key: StorageKeyID, of record: RecordID) -> Value? {
        if let position = normalizer.staged.position(of: record),
            let value = normalizer.staged.value(position, key)
        {
            return value
        }
        return confirmed.contains(record) ? normalizer.base.value(key, of: record) : nil
    }

    /// The beginning of a list with `@stream`; nil if this payload has not brought it.
    func beginning(of label: String, at record: RecordID) -> Value? {
        normalizer.streamed[.init(label: label, record: record)]
    }

    func type(of record: RecordID) -> TypeID { normalizer.saidType(of: record) }
    func applies(_ item: BoundPlan.Item, to type: TypeID) -> Bool { normalizer.applies(item, to: type) }
}
