/// A record as a file has it.
///
///     kind          0 for a deleted record, 1 for a form by its number, 2 for a form in the record itself
///     form          eight bytes, or a text with a length
///     invalidated   the version in which the record was last invalidated; 0 for never
///     fetches       their number, and for each its time in milliseconds since 1970 and the version of its beginning
///     sources       0 and the one source of all fields, or 1 and a source for each field
///     errors        their number, and for each the position of its field and the errors as JSON
///     values        one for each key of the form
///
/// A source is a position in `fetches`, `nobody` or `handler`. A value is a byte for its kind, and its content; it can
/// be moved into another record as it is, if that has the same identity.
struct DiskRecord: Sendable, Equatable {
    enum Kind: UInt8 {
        case deleted = 0
        case shared = 1
        case own = 2
    }

    struct Fetch: Sendable, Hashable {
        /// Milliseconds since 1970.
        let time: Int
        let began: Epoch
    }

    struct Field: Sendable, Equatable {
        let key: String
        /// The bytes of the value.
        var value: [UInt8]
        var source: Source
        /// The errors that the server sent for the field, as JSON; nil for nearly every field.
        var errors: String?
    }

    enum Source: Sendable, Hashable {
        /// No response brought the field.
        case nobody
        /// A missing-field handler found it.
        case handler
        case fetch(Fetch)
    }

    /// The type; nil if the record is deleted.
    var type: String?
    var fields: [Field] = []
    var invalidated: Epoch = 0

    /// The number that stands for `nobody` and `handler` in place of a position.
    fileprivate static let nobody = -1
    fileprivate static let handler = -2

    // MARK: - Merging

    /// Returns the record with the fields of another one over its own. A deletion and a record of another type replace
    /// all fields.
    func merged(with newer: DiskRecord) -> DiskRecord {
        guard let type, type == newer.type else { return newer }
        var result = self
        result.invalidated = max(invalidated, newer.invalidated)
        var places: [ExactText: Int] = [:]
        for (place, field) in fields.enumerated() { places[ExactText(field.key)] = place }
        for field in newer.fields {
            if let place = places[ExactText(field.key)] {
                result.fields[place] = field
            } else {
                result.fields.append(field)
            }
        }
        return result
    }

    /// Returns the record without fields.
    func without(_ keys: Set<String>) -> DiskRecord {
        if keys.isEmpty { return self }
        var result = self
        result.fields.removeAll { keys.contains($0.key) }
        return result
    }

    /// Returns a record without fields, all of a batch with these forms.
    static func without(_ keys: Set<String>, _ bytes: [UInt8], _ forms: inout DiskForms) -> [UInt8] {
        if keys.isEmpty { return bytes }
        return DiskRecord(bytes, form: { forms[$0] }).map { $0.without(keys).bytes(&forms) } ?? bytes
    }

    /// Returns a record over another one, both of a batch with these forms.
    static func merged(_ newer: [UInt8], over older: [UInt8], _ forms: inout DiskForms) -> [UInt8] {
        if covers(newer, older) { return newer }
        guard let old = DiskRecord(older, form: { forms[$0] }), let new = DiskRecord(newer, form: { forms[$0] }) else {
            return newer
        }
        return old.merged(with: new).bytes(&forms)
    }

    /// Returns true for the bytes of a deleted record.
    static func isDeleted(_ bytes: [UInt8]) -> Bool { bytes.first == Kind.deleted.rawValue }

    /// Returns true if the record of these bytes has every field of another one, so that it replaces that whole: both
    /// have one shared form. A false answer says nothing.
    static func covers(_ newer: [UInt8], _ older: [UInt8]) -> Bool {
        var (first, second) = (DiskReader(newer), DiskReader(older))
        guard first.byte() == Kind.shared.rawValue, second.byte() == Kind.shared.rawValue,
            first.fixed() == second.fixed(), let invalidated = first.number(), let before = second.number()
        else { return false }
        return before <= invalidated
    }

    // MARK: - Bytes

    /// Returns the bytes, and adds the form to `forms` if it is shared.
    func bytes(_ forms: inout DiskForms) -> [UInt8] {
        var writer = DiskWriter()
        guard let type else {
            writer.append(Kind.deleted.rawValue)
            writer.append(number: invalidated)
            return writer.bytes
        }
        writer.append(form: forms.place(of: DiskForm(type: type, keys: fields.map(\.key))), invalidated)
        writer.append(fields.map(\.source))
        writer.append(fields.enumerated().compactMap { place, field in field.errors.map { (place, $0) } })
        for field in fields { writer.bytes.append(contentsOf: field.value) }
        return writer.bytes
    }

    /// Reads a record; nil for bytes that are none. `form` finds shared forms by their numbers.
    init?(_ bytes: [UInt8], form: (UInt64) -> DiskForm?) {
        var reader = DiskReader(bytes)
        guard let kind = reader.byte().flatMap(Kind.init) else { return nil }
        var found: DiskForm?
        switch kind {
        case .deleted:
            guard let invalidated = reader.number(), reader.isAtEnd else { return nil }
            self.init(type: nil, invalidated: invalidated)
            return
        case .shared: found = reader.fixed().flatMap(form)
        case .own: found = reader.block().flatMap { DiskForm(Array($0)) }
        }
        guard let found, let invalidated = reader.number(), let fetches = Self.fetches(&reader),
            let sources = Self.sources(&reader, found.keys.count, fetches),
            let errors = Self.errors(&reader, found.keys.count)
        else { return nil }
        var fields: [Field] = []
        fields.reserveCapacity(found.keys.count)
        for (place, key) in found.keys.enumerated() {
            let start = reader.position
            guard DiskValue.skip(&reader) else { return nil }
            fields.append(
                Field(
                    key: key, value: Array(reader.slice(from: start)), source: sources[place], errors: errors[place]))
        }
        guard reader.isAtEnd else { return nil }
        self.init(type: found.type, fields: fields, invalidated: invalidated)
    }

    /// Returns where the bytes of a record have its form; nil for a deleted record and for other bytes.
    static func place(of bytes: [UInt8]) -> DiskForms.Place? {
        var reader = DiskReader(bytes)
        switch reader.byte().flatMap(Kind.init) {
        case .shared?: return reader.fixed().map { .shared($0) }
        case .own?: return reader.block().flatMap { DiskForm(Array($0)) }.map { .own($0) }
        case .deleted?, nil: return nil
        }
    }

    init(type: String?, fields: [Field] = [], invalidated: Epoch = 0) {
        self.type = type
        self.fields = fields
        self.invalidated = invalidated
    }

    private static func fetches(_ reader: inout DiskReader) -> [Fetch]? {
        guard let count = reader.count(ofSize: 2) else { return nil }
        var fetches: [Fetch] = []
        for _ in 0..<count {
            guard let time = reader.signed(), let began = reader.number() else { return nil }
            fetches.append(Fetch(time: time, began: began))
        }
        return fetches
    }

    private static func sources(_ reader: inout DiskReader, _ width: Int, _ fetches: [Fetch]) -> [Source]? {
        func source() -> Source? {
            switch reader.signed() {
            case nobody?: .nobody
            case handler?: .handler
            case let place? where fetches.indices.contains(place): .fetch(fetches[place])
            default: nil
            }
        }
        switch reader.byte() {
        // A record without fields has no source.
        case 1? where width == 0: return []
        case 0?: return source().map { Array(repeating: $0, count: width) }
        case 1?:
            var sources: [Source] = []
            for _ in 0..<width {
                guard let next = source() else { return nil }
                sources.append(next)
            }
            return sources
        default: return nil
        }
    }

    private static func errors(_ reader: inout DiskReader, _ width: Int) -> [Int: String]? {
        guard let count = reader.count(ofSize: 2) else { return nil }
        var errors: [Int: String] = [:]
        for _ in 0..<count {
            guard let place = reader.number(), place < width, let text = reader.text() else { return nil }
            errors[Int(place)] = text
        }
        return errors
    }
}

extension DiskWriter {
    mutating func append(form: DiskForms.Place, _ invalidated: Epoch) {
        switch form {
        case .shared(let number):
            append(DiskRecord.Kind.shared.rawValue)
            append(fixed: number)
        case .own(let form):
            append(DiskRecord.Kind.own.rawValue)
            append(block: form.bytes)
        }
        append(number: invalidated)
    }

    /// Writes the fetches, and for each field its source.
    mutating func append(_ sources: [DiskRecord.Source]) {
        let first = sources.first
        if let first, sources.allSatisfy({ $0 == first }) {
            append(first.fetch.map { [$0] } ?? [])
            append(0)
            append(signed: first.fetch == nil ? first.number : 0)
            return
        }
        var positions: [DiskRecord.Fetch: Int] = [:]
        var fetches: [DiskRecord.Fetch] = []
        for case .fetch(let fetch) in sources where positions[fetch] == nil {
            positions[fetch] = fetches.count
            fetches.append(fetch)
        }
        append(fetches)
        append(1)
        for source in sources { append(signed: source.fetch.flatMap { positions[$0] } ?? source.number) }
    }

    private mutating func append(_ fetches: [DiskRecord.Fetch]) {
        append(count: fetches.count)
        for fetch in fetches {
            append(signed: fetch.time)
            append(number: fetch.began)
        }
    }

    /// Writes errors with the positions of their fields.
    mutating func append(_ errors: [(place: Int, text: String)]) {
        append(count: errors.count)
        for (place, text) in errors {
            append(count: place)
            append(text: text)
        }
    }
}

extension DiskRecord.Source {
    fileprivate var fetch: DiskRecord.Fetch? { if case .fetch(let fetch) = self { fetch } else { nil } }

    /// The number of a source that is no fetch.
    fileprivate var number: Int { self == .handler ? DiskRecord.handler : DiskRecord.nobody }
}
