// The types of the values that updates write.

extension RecordSourceProxy {
    /// A field of all records of a type.
    struct TypedField: Hashable {
        let type: TypeID
        let key: StorageKeyID
    }

    /// Throws if no reader could take a value: the plans in use know the types of the field, and the value is of none
    /// of them. Reports a field that no plan knows to the log, once.
    func check(_ value: Value, _ key: StorageKeyID, of record: RecordID) throws(UpdateError) {
        let known = types(of: key, in: record)
        guard !known.isEmpty, !known.contains(where: { $0.accepts(value) }) else { return }
        throw mismatch(value.json { names.dataID(of: $0) }, known, key, of: record)
    }

    /// Returns the stored form of a JSON value; throws if no reader could take the value. A mapped scalar is converted.
    func stored(_ json: JSONValue, _ key: StorageKeyID, of record: RecordID) throws(UpdateError) -> Value {
        let value = try RecordField.stored(json, depth: 0)
        let known = types(of: key, in: record)
        if known.isEmpty { return value }
        let hasObjects = json.hasObjects
        for type in known {
            if hasObjects, let converted = type.converted(json) { return converted }
            // The text of an object can be read only as an unmapped scalar.
            if !hasObjects || type.isUnmapped, type.accepts(value) { return value }
        }
        throw mismatch(json, known, key, of: record)
    }

    private func mismatch(
        _ json: JSONValue, _ known: [FieldTypes.Known], _ key: StorageKeyID, of record: RecordID
    ) -> UpdateError {
        let types = known.map { "\($0.type)" }
        return .wrongType(
            names.dataID(of: record), field: names.name(of: key),
            type: types.indices.filter { !types[..<$0].contains(types[$0]) }.map { types[$0] }.joined(
                separator: " or "),
            value: String(json.text.prefix(Self.longestValue)))
    }

    /// The number of characters of a value that an error shows.
    private static var longestValue: Int { 100 }

    /// Returns the types under which readers read a field; empty if no plan knows the field.
    private func types(of key: StorageKeyID, in record: RecordID) -> [FieldTypes.Known] {
        // The write itself refuses an update that has ended and a deleted record.
        guard let type = record == .root ? names.rootType : type(of: record) else { return [] }
        let field = TypedField(type: type, key: key)
        if let found = knownTypes[field] { return found }
        let found = findTypes(names.fieldName(of: key), type)
        knownTypes[field] = found
        return found
    }

    private func findTypes(_ field: String, _ type: TypeID) -> [FieldTypes.Known] {
        let (parents, isTold) = names.withSpelling { spelling -> ([FieldTypes.Parent], Bool) in
            guard spelling.checks.contains(.types) else { return ([], true) }
            let parents = spelling.parents(of: field)
            // A misspelled name has a report of its own.
            return (parents, parents.isEmpty && (spelling.knowsNoTypes || !spelling.fields(near: field).isEmpty))
        }
        let name = names.name(of: type)
        var found: [FieldTypes.Known] = []
        for parent in parents {
            // The type fact decides only about this check, so the update does not depend on it.
            let isMatch = parent.name == name || parent.isAbstract && isKnown(type, toBe: parent.name)
            if isMatch { found += parent.types }
        }
        if found.isEmpty, !isTold, field != "id", !field.hasPrefix("__") {
            names.withSpelling { $0.tell(.uncheckedField(field, of: TypeName(name)), near: []) }
        }
        return found
    }

    private func isKnown(_ type: TypeID, toBe abstractType: String) -> Bool {
        let fact = TypeFact(type: type, abstractType: names.type(abstractType))
        return records?.response?.facts[fact] ?? records?.base.facts[fact] ?? false
    }
}

extension JSONValue {
    /// True for an object, and for a list with one. The recursion is bounded by the depth that values may have.
    fileprivate var hasObjects: Bool {
        switch self {
        case .object: true
        case .array(let values): values.contains { $0.hasObjects }
        default: false
        }
    }
}
