import BatonCompiler

/// The form on disk: a mark with the number of the format, a hash of the rest, and the rest.
extension ProjectTable {
    static let mark = Array("baton project table 2\n".utf8)

    package var bytes: [UInt8] {
        var writer = TableWriter()
        writer.add(hash: key)
        writer.add(time)
        writer.add(artifactTime)
        writer.add(schema) { $0.add($1) }
        writer.add(schemaExtensions) { $0.add($1) }
        writer.add(documents) { $0.add($1) }
        writer.add(artifacts) { writer, artifact in
            writer.add(artifact.name)
            writer.add(artifact.stamp)
            writer.add(hash: artifact.hash)
        }
        writer.add(persisted) { $0.add($1) }
        writer.add(warnings) { $0.add($1) }
        writer.add(hasDocuments)
        writer.add(isDivisible)
        var checksum = TableWriter()
        checksum.add(hash: ContentHash.of(writer.bytes))
        return Self.mark + checksum.bytes + writer.bytes
    }

    /// Nil if the bytes are no table of this format, or damaged.
    package init?(bytes: [UInt8]) {
        let start = Self.mark.count + 8
        guard bytes.count >= start, bytes.starts(with: Self.mark) else { return nil }
        var head = TableReader(bytes, from: Self.mark.count)
        do throws(TableReader.Damage) {
            guard try head.hash() == ContentHash.of(bytes[start...]) else { return nil }
            var reader = TableReader(bytes, from: start)
            self = try reader.table()
            guard reader.isAtEnd else { return nil }
        } catch {
            return nil
        }
    }
}

extension TableWriter {
    fileprivate mutating func add(_ stamp: FileStamp) {
        add(stamp.size)
        add(hash: UInt64(bitPattern: stamp.modified))
        add(hash: UInt64(bitPattern: stamp.changed))
        add(stamp.number)
        add(stamp.device)
    }

    fileprivate mutating func add(_ input: ProjectTable.Input) {
        add(input.path)
        add(input.stamp)
        add(hash: input.hash)
    }

    fileprivate mutating func add(_ file: ProjectTable.DocumentFile) {
        add(file.input)
        add(file.definitions) { $0.add($1) }
        add(file.warnings) { $0.add($1) }
    }

    fileprivate mutating func add(_ record: DefinitionRecord) {
        add(UInt64(record.kind.rawValue))
        add(record.name)
        add(UInt64(record.nameRange.lowerBound))
        add(UInt64(record.nameRange.upperBound))
        add(hash: record.digest)
        add(record.spreads)
        add(record.unmasked)
        add(record.refetchQuery) { $0.add($1) }
        add(record.isPreloadable)
        add(record.usesRelay)
        add(record.providers)
        add(record.edgeFragment) { $0.add($1) }
        add(record.isReadByContext)
        add(record.usedTypes)
        add(record.artifacts)
        add(UInt64(record.references))
    }

    fileprivate mutating func add(_ place: KeptDiagnostic.Place) {
        add(place.path) { $0.add($1) }
        add(UInt64(place.start))
        add(UInt64(place.end))
    }

    fileprivate mutating func add(_ diagnostic: KeptDiagnostic) {
        add(diagnostic.id)
        add(diagnostic.isError)
        add(diagnostic.isLowerable)
        add(diagnostic.message)
        add(diagnostic.place)
        add(diagnostic.notes) { writer, note in
            writer.add(note.message)
            writer.add(note.place)
        }
        add(diagnostic.suggestion) { $0.add($1) }
        add(diagnostic.fix) { writer, fix in
            writer.add(fix.replacement)
            writer.add(fix.place)
        }
    }
}

extension TableReader {
    fileprivate mutating func table() throws(Damage) -> ProjectTable {
        var table = ProjectTable(key: try hash())
        table.time = try signed()
        table.artifactTime = try signed()
        table.schema = try list { (reader) throws(Damage) in try reader.input() }
        table.schemaExtensions = try list { (reader) throws(Damage) in try reader.input() }
        table.documents = try list { (reader) throws(Damage) in try reader.file() }
        table.artifacts = try list { (reader) throws(Damage) in try reader.artifact() }
        table.persisted = try optional { (reader) throws(Damage) in try reader.input() }
        table.warnings = try list { (reader) throws(Damage) in try reader.diagnostic() }
        table.hasDocuments = try flag()
        table.isDivisible = try flag()
        return table
    }

    private mutating func artifact() throws(Damage) -> ProjectTable.Artifact {
        ProjectTable.Artifact(name: try text(), stamp: try stamp(), hash: try hash())
    }

    private mutating func stamp() throws(Damage) -> FileStamp {
        FileStamp(
            size: try signed(), modified: Int64(bitPattern: try hash()), changed: Int64(bitPattern: try hash()),
            number: try number(), device: try number())
    }

    private mutating func input() throws(Damage) -> ProjectTable.Input {
        ProjectTable.Input(path: try path(), stamp: try stamp(), hash: try hash())
    }

    private mutating func file() throws(Damage) -> ProjectTable.DocumentFile {
        ProjectTable.DocumentFile(
            input: try input(), definitions: try list { (reader) throws(Damage) in try reader.record() },
            warnings: try list { (reader) throws(Damage) in try reader.diagnostic() })
    }

    private mutating func record() throws(Damage) -> DefinitionRecord {
        guard let kind = UInt8(exactly: try number()).flatMap(DefinitionRecord.Kind.init) else { throw Damage() }
        let name = try text()
        let (start, end) = (try small(), try small())
        guard start <= end else { throw Damage() }
        var record = DefinitionRecord(kind: kind, name: name, nameRange: start..<end, digest: try hash())
        record.spreads = try texts()
        record.unmasked = try texts()
        record.refetchQuery = try optional { (reader) throws(Damage) in try reader.text() }
        record.isPreloadable = try flag()
        record.usesRelay = try flag()
        record.providers = try texts()
        record.edgeFragment = try optional { (reader) throws(Damage) in try reader.text() }
        record.isReadByContext = try flag()
        record.usedTypes = try texts()
        record.artifacts = try texts()
        record.references = Int(try small())
        return record
    }

    private mutating func place() throws(Damage) -> KeptDiagnostic.Place {
        KeptDiagnostic.Place(
            path: try optional { (reader) throws(Damage) in try reader.path() }, start: try small(), end: try small())
    }

    private mutating func diagnostic() throws(Damage) -> KeptDiagnostic {
        let id = try text()
        let (isError, isLowerable) = (try flag(), try flag())
        var diagnostic = KeptDiagnostic(id: id, message: try text(), place: try place())
        diagnostic.isError = isError
        diagnostic.isLowerable = isLowerable
        diagnostic.notes = try list { (reader) throws(Damage) in
            KeptDiagnostic.Note(message: try reader.text(), place: try reader.place())
        }
        diagnostic.suggestion = try optional { (reader) throws(Damage) in try reader.text() }
        diagnostic.fix = try optional { (reader) throws(Damage) in
            KeptDiagnostic.Fix(replacement: try reader.text(), place: try reader.place())
        }
        return diagnostic
    }
}
