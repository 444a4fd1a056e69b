// A tool of the tests and of `store-model`, which compares the text with the text of its naive model.

extension Store {
    /// Returns every record as text, one sorted line for each record and field. If two stores have equal texts, no read
    /// can tell them apart.
    package func dump() -> String {
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        let records = records
        var lines: [String] = []
        for record in records.known {
            let id = names.dataID(of: record).rawValue
            if records.state(of: record) == .deleted {
                lines.append("\(id) deleted")
                continue
            }
            lines.append("\(id) is \(names.name(of: records.type(of: record)))")
            for (key, value) in zip(records.shape(of: record).keys, records.values(of: record)) {
                let text = value.json { [names] in DataID("-> \(names.dataID(of: $0))") }.text
                lines.append("\(id).\(names.name(of: key)) = \(text)")
            }
        }
        for (record, keys) in records.fieldErrors.records {
            for (key, errors) in keys {
                let messages = errors.map { JSONValue.string($0.message).text }.joined(separator: ", ")
                lines.append("\(names.dataID(of: record).rawValue).\(names.name(of: key)) failed: \(messages)")
            }
        }
        for (fact, holds) in records.facts.entries {
            lines.append("\(names.name(of: fact.type)) \(holds ? "is" : "is not") \(names.name(of: fact.abstractType))")
        }
        return lines.sorted().joined(separator: "\n")
    }
}
