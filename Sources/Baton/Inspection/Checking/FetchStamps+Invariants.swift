// A part of `Store.checkInvariants`.

extension FetchStamps {
    /// Checks that every stamp has an entry, and that entries refer only to earlier entries.
    func violations(recordCount: Int, _ names: NameTable) -> [String] {
        var found: [String] = []
        let entries = entries
        func isKnown(_ stamp: Stamp) -> Bool { Int(stamp) < entries.count }
        for (page, stamps) in pages.enumerated() {
            if !stamps.isEmpty, stamps.count != RecordPages.pageSize {
                found.append("page \(page) of the stamps is cut")
            }
            for (index, stamp) in stamps.enumerated() where stamp != Self.none {
                let record = RecordID(UInt32(truncatingIfNeeded: page * RecordPages.pageSize + index))
                if Int(record.index) >= recordCount {
                    found.append("\(names.label(of: record)) has a stamp and no name")
                }
                if stamp == Self.separate {
                    if separated[record] == nil { found.append("the stamps of \(names.label(of: record)) are gone") }
                } else if !isKnown(stamp) {
                    found.append("\(names.label(of: record)) has a stamp that stands for nothing")
                }
            }
        }
        for (record, fields) in separated where !fields.stamps.allSatisfy(isKnown) {
            found.append("a field of \(names.label(of: record)) has a stamp that stands for nothing")
        }
        for (index, entry) in entries.enumerated() where entry.keys != nil {
            if Int(entry.whole) >= index || Int(entry.rest) >= index {
                found.append("stamp \(index) refers to a later one")
            } else if entries[Int(entry.whole)].keys != nil || entries[Int(entry.whole)].mark != entry.mark {
                found.append("stamp \(index) does not say what the whole of its response says")
            }
        }
        return found
    }
}
