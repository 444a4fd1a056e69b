/// The links to the records of an answer: those of the answer, and those that the store had before it.
struct AnswerLinks {
    /// For each record to which the answer links, the keys of the fields with the links.
    let keys: [RecordID: Set<StorageKeyID>]
    /// The fields that linked to these records before the answer; nil as long as nobody has asked.
    private var earlier: [RecordID: [Records.Reference]]?

    /// Visits the values of an answer once.
    init(_ answer: StagedRecords?) {
        var keys: [RecordID: Set<StorageKeyID>] = [:]
        for position in answer?.entries.indices ?? 0..<0 {
            guard let answer, !answer.entries[position].isDeleted else { continue }
            for (key, value) in zip(answer.shape(position).keys, answer.values(position)) {
                value.forEachLink { keys[$0, default: []].insert(key) }
            }
        }
        self.keys = keys
    }

    /// Returns the fields that linked to a record before the answer. The first call visits the links of the whole
    /// store, and so does the first one for each record to which the answer does not link.
    mutating func earlier(to record: RecordID, in base: Records) -> [Records.Reference] {
        var found = earlier ?? [:]
        if let places = found[record] { return places }
        if earlier != nil, keys[record] != nil { return [] }
        let wanted = earlier == nil ? Set(keys.keys).union([record]) : [record]
        found[record] = []
        for place in base.references(to: wanted) {
            base.value(place.key, of: place.record)?.forEachLink { target in
                if wanted.contains(target) { found[target, default: []].append(place) }
            }
        }
        earlier = found
        return found[record] ?? []
    }
}
