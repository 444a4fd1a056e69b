// A part of `Store.checkInvariants`.

extension Store {
    /// Finds storage keys whose numbers were freed although the store still uses them.
    func keyViolations(_ records: Records) -> [String] {
        var users: [(keys: [StorageKeyID], name: String)] = records.known.map { record in
            (records.shape(of: record).keys, names.label(of: record))
        }
        for (record, errors) in records.fieldErrors.records {
            users.append((Array(errors.keys), "errors of \(names.label(of: record))"))
        }
        for (record, stamps) in records.stamps.separated {
            users.append((stamps.keys, "stamps of \(names.label(of: record))"))
        }
        let plans = operations.look { operations in
            operations.entries.values.flatMap { entry in
                [entry.kept, entry.operation?.plans].compactMap(\.self).flatMap { [$0.write, $0.read] }
            }
        }
        for plan in plans + subscriptions.look({ $0.slots.compactMap(\.plan) }) {
            let keys = plan.nodes.flatMap(\.keys) + plan.marks.values.compactMap(\.handle?.storageKey)
            users.append((keys, "the plan of \(plan.component)"))
        }
        return names.access { names in
            users.filter { $0.keys.contains(where: names.keys.isFree) }
                .map { "a storage key that was given back is used by \($0.name)" }
        }
    }
}
