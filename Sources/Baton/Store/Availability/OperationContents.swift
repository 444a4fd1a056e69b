/// What an operation reads in one version of the records, as far as it takes to see whether a later version reads the
/// same.
///
/// A record counts by the version in which it was last changed. The root record of queries does not: every query has
/// fields there, so each query that is fetched for the first time changes it. Of the root the values are kept.
struct OperationContents {
    /// The record of the root fields.
    let root: RecordID
    /// The version of the records.
    let version: Epoch
    /// The version since which the operation reads the same, as far as is known; that of the records until an earlier
    /// version is compared.
    private(set) var lastChange: Epoch
    /// The newest version in which one of the other records was changed.
    private var newestRecord: Epoch = 0
    /// The values of the operation's fields of the root, in the order of its plan; nil for a missing field.
    private var rootValues: [Value?] = []
    /// True if the operation has client fields with objects below, which a check of its data does not visit.
    private var leavesOutObjects = false

    /// Visits what an operation reads, fragments included. Takes time linear in its records.
    init(of operation: BoundOperation, in records: Records) {
        self.init(root: operation.root, version: records.epoch)
        var check = AvailabilityCheck(records: records, plan: operation.plans.write, stopsWhenMissing: false)
        check.contents = self
        check.check(root)
        if let contents = check.contents { self = contents }
        newestRecord = max(newestRecord, max(records.facts.changed, records.emptied))
    }

    private init(root: RecordID, version: Epoch) {
        self.root = root
        self.version = version
        lastChange = version
    }

    /// Notes one record with one selection set.
    mutating func visit(_ record: RecordID, _ node: Int, _ plan: BoundPlan, _ records: Records) {
        if record != root { newestRecord = max(newestRecord, records.changed(record)) }
        for index in plan.items(of: node) {
            let item = plan.items[index]
            guard item.kind == .leaf || item.kind == .composite else { continue }
            if item.kind == .composite, item.marks.contains(.client) { leavesOutObjects = true }
            guard record == root else { continue }
            rootValues.append(records.value(item.key, of: record))
            // Reads use the copy that a handler keeps of the field.
            guard item.marks.contains(.handle), let key = plan.marks[index]?.handle?.storageKey else { continue }
            rootValues.append(records.value(key, of: record))
        }
    }

    /// Compares with what the operation read in an earlier version. Afterwards `lastChange` is that of the earlier
    /// version if the operation still reads the same, and otherwise it is greater.
    mutating func follow(_ earlier: OperationContents) {
        let isSameRoot = rootValues.elementsEqual(earlier.rootValues) { new, old in
            switch (new, old) {
            case (let new?, let old?): new.isIdentical(to: old)
            case (nil, nil): true
            default: false
            }
        }
        let isSame = isSameRoot && !leavesOutObjects && newestRecord <= earlier.version
        lastChange = isSame ? earlier.lastChange : version
    }
}
