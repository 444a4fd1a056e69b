/// What the documents in use say of the fields that a file has.
///
/// A file may have been written by a version of the program whose schema gave a field another type. A value that the
/// type of today does not allow counts as missing. A field that no document in use selects cannot be judged, so it
/// stays in the file until one does.
struct StoredTypes: Sendable {
    enum Verdict: Sendable {
        case fits
        /// The value is of a type that the field does not have any more.
        case wrong
        /// No document in use selects the field.
        case unknown
    }

    /// What is known of one field in the records of one type.
    private struct Field: Sendable {
        /// The types of the field in objects of just this type.
        var own: [FieldTypes.Known] = []
        /// Its types in the abstract types that are known to have this type.
        var met: [FieldTypes.Known] = []
        /// Its types in abstract types of which nobody knows whether they have this type.
        var open: [FieldTypes.Known] = []
        /// The kinds that the types allow, whatever the value.
        var sure: Value.Kinds = []
        /// True for what no type decides but is needed: what the store keeps in a record, and what updates ask for.
        var isNeeded = false
        /// True if a document selects a field of this name in objects of any type.
        var isSelected = false

        var hasTypes: Bool { !own.isEmpty || !met.isEmpty || !open.isEmpty }
    }

    /// The number of field types that were known when the rest was found.
    private(set) var version = 0
    /// The fields by their names. Numbers of keys with arguments are given to other keys in time.
    private var fields: [TypeID: [String: Field]] = [:]
    private var checks = Spelling.Checks.all
    /// The fields of which a wrong value was told.
    private var told: Set<String> = []

    /// Forgets what was found if more field types are known now.
    mutating func update(_ names: NameTable) {
        let (version, checks) = names.withSpelling { ($0.countTypes(), $0.checks) }
        self.checks = checks
        if version == self.version { return }
        self.version = version
        fields = [:]
    }

    /// Returns the field's name if it was not told yet that the field has values of a wrong type.
    mutating func tell(_ key: String, of type: String) -> String? {
        let field = type + "." + StorageKey(key).fieldName
        return told.insert(field).inserted ? field : nil
    }

    /// Judges a value of a record of a type, and converts a mapped scalar. `key` is the text of the storage key.
    mutating func verdict(
        _ value: inout Value, _ key: String, of type: TypeID, _ records: borrowing Records, _ names: NameTable
    ) -> Verdict {
        let name = key.utf8.contains(UInt8(ascii: "(")) ? String(StorageKey(key).fieldName) : key
        let field: Field
        if let known = fields[type]?[name] {
            field = known
        } else {
            field = Self.find(name, type, records, names)
            fields[type, default: [:]][name] = field
        }
        if field.isNeeded || field.sure.contains(value.kind) { return .fits }
        if !checks.contains(.types) { return field.isSelected || !checks.contains(.stored) ? .fits : .unknown }
        if !field.own.isEmpty { return Self.fits(&value, field.own) ? .fits : .wrong }
        if !field.met.isEmpty { return Self.fits(&value, field.met) ? .fits : .wrong }
        return Self.fits(&value, field.open) ? .fits : .unknown
    }

    /// Returns true if one of the types allows a value. They are one type of a schema, but a fragment that catches
    /// errors may be stricter about null.
    private static func fits(_ value: inout Value, _ types: [FieldTypes.Known]) -> Bool {
        for type in types {
            if type.decoder != nil, !value.isNull, case .scalar = value.first {
                guard let converted = type.converted(value.json { _ in "" }) else { continue }
                value = converted
                return true
            }
            if type.accepts(value) { return true }
        }
        return false
    }

    private static func find(
        _ name: String, _ type: TypeID, _ records: borrowing Records, _ names: NameTable
    ) -> Field {
        var field = Field()
        let typeName = names.name(of: type)
        let parents = names.withSpelling { $0.parents(of: name) }
        field.isSelected = !parents.isEmpty
        for parent in parents {
            if parent.name == typeName {
                field.own += parent.types
            } else if parent.isAbstract {
                switch records.facts[TypeFact(type: type, abstractType: names.type(parent.name))] {
                case true?: field.met += parent.types
                case nil: field.open += parent.types
                case false?: break
                }
            }
        }
        let types = [field.own, field.met, field.open].first { !$0.isEmpty } ?? []
        field.sure = types.reduce(into: []) { $0.formUnion($1.sure) }
        if field.own.isEmpty, field.met.isEmpty {
            let isOfStore = field.open.isEmpty && name.hasPrefix("__")
            field.isNeeded = isOfStore || names.withSpelling { $0.isAsked(for: name) }
        }
        return field
    }
}

extension FieldTypes.Known {
    /// The kinds of values that the type allows, whatever the value.
    fileprivate var sure: Value.Kinds {
        switch type {
        case .nonNull(let inner): Self.sure(inner).subtracting(.null)
        default: Self.sure(type)
        }
    }

    private static func sure(_ type: SelectionPlan.FieldType) -> Value.Kinds {
        guard case .named(let name) = type else { return .null }
        switch name {
        case .int: return [.null, .int]
        case .float: return [.null, .int, .double]
        case .boolean: return [.null, .bool]
        case .string, .enumeration: return [.null, .string]
        case .id: return [.null, .string, .int]
        case .object, .abstract: return [.null, .link]
        case .mappedScalar, .unmappedScalar: return .null
        }
    }
}

extension Value {
    /// The first value in lists that is none; the value itself if it is no list.
    fileprivate var first: Value {
        var value = self
        while case .list(let items) = value, let next = items.first(where: { !$0.isNull }) { value = next }
        return value
    }
}
