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
        /// The kinds that all of the types allow, whatever the value.
        var sure: Value.Kinds = []
        /// True for what has no type but is needed: what the store itself keeps in a record, and what updates ask for.
        var isNeeded = false
        /// True if a document selects a field of this name in objects of any type.
        var isSelected = false

        var hasTypes: Bool { !own.isEmpty || !met.isEmpty || !open.isEmpty }
    }

    /// The number of field types that were known when the rest was found.
    private(set) var version = 0
    private var fields: [TypeID: [StorageKeyID: Field]] = [:]
    private var checks = Spelling.Checks.all

    /// Forgets what was found if more field types are known now.
    mutating func update(_ names: NameTable) {
        let (version, checks) = names.withSpelling { ($0.countTypes(), $0.checks) }
        self.checks = checks
        if version == self.version { return }
        self.version = version
        fields = [:]
    }

    /// Judges a value of a record of a type, and converts a mapped scalar.
    mutating func verdict(
        _ value: inout Value, _ key: StorageKeyID, of type: TypeID, _ records: borrowing Records,
        _ names: NameTable
    ) -> Verdict {
        let field: Field
        if let known = fields[type]?[key] {
            field = known
        } else {
            field = Self.find(key, type, records, names)
            fields[type, default: [:]][key] = field
        }
        if field.isNeeded || field.sure.contains(value.kind) { return .fits }
        if !checks.contains(.types) { return field.isSelected || !checks.contains(.stored) ? .fits : .unknown }
        if !field.own.isEmpty { return Self.fit(&value, field.own) ? .fits : .wrong }
        if !field.hasTypes { return .unknown }
        guard Self.fit(&value, field.met) else { return .wrong }
        return Self.fit(&value, field.open) ? .fits : .unknown
    }

    /// Returns true if all types allow a value.
    private static func fit(_ value: inout Value, _ types: [FieldTypes.Known]) -> Bool {
        for type in types {
            if type.decoder != nil, !value.isNull, case .scalar = value.first {
                guard let converted = type.converted(value.json { _ in "" }) else { return false }
                value = converted
            } else if !type.accepts(value) {
                return false
            }
        }
        return true
    }

    private static func find(
        _ key: StorageKeyID, _ type: TypeID, _ records: borrowing Records, _ names: NameTable
    ) -> Field {
        var field = Field()
        let name = names.fieldName(of: key)
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
        let types = field.own.isEmpty ? field.met + field.open : field.own
        field.isNeeded =
            !field.hasTypes && (name.hasPrefix("__") || names.withSpelling { $0.isAsked(for: name) })
        if let first = types.first { field.sure = types.dropFirst().reduce(first.sure) { $0.intersection($1.sure) } }
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
