/// The types that the names around an ID say, where a response has only the `id` of an object.
///
/// The name of the field with the ID counts first: `deletedFilmIds` says `Film`. If it says no type, as `id` and
/// `deletedId`, the name of the enclosing field counts if it is `delete` with the name of a type, and then the
/// payload's if it is `Delete`, the name of a type, and `Payload`. Other verbs are not guessed.
enum NamedTypes {
    /// Returns the object types that the names around a field say, the first name first.
    static func types(of field: RecordField) -> [TypeName] {
        let source = field.record.source
        if let subject = DeletedSubject(of: field.name) {
            return source.names.typeNames.map { TypeName($0) }.filter(subject.isType).flatMap { types(of: $0, source) }
        }
        let record = field.record
        let fields = source.namesOfAnswer(linkingTo: record.record).sorted().compactMap { $0.rest(after: "delete") }
        let payload = record.typename?.rawValue.rest(after: "Delete").flatMap { $0.rest(before: "Payload") }
        return (fields + [payload].compactMap(\.self)).filter { source.names.knownType($0) != nil }
            .flatMap { types(of: TypeName($0), source) }
    }

    /// Returns the type itself, or the object types that are known to belong to it.
    static func types(of type: TypeName, _ source: RecordSourceProxy) -> [TypeName] {
        let names = source.names
        guard let number = names.knownType(type.rawValue), names.isKnownToImplementNode(number) == nil else {
            return [type]
        }
        let members = names.typeNames.filter { name in
            names.knownType(name).map { source.fact($0, is: number) == true } ?? false
        }
        return members.isEmpty ? [type] : members.map { TypeName($0) }
    }
}

extension String {
    fileprivate func rest(after prefix: String) -> String? {
        hasPrefix(prefix) && utf8.count > prefix.utf8.count ? String(dropFirst(prefix.count)) : nil
    }

    fileprivate func rest(before suffix: String) -> String? {
        hasSuffix(suffix) && utf8.count > suffix.utf8.count ? String(dropLast(suffix.count)) : nil
    }
}
