import BatonCodegen
import BatonCompiler
import BatonProject
import BatonSchema
import BatonSyntax

/// The renaming of fragments, operations, variables and aliases in documents, and of what is generated for them in
/// Swift. The queries of `@refetchable` are operations.
///
/// A name that would mean something else in its new place is refused, with the place of what has the name:
/// `checkFreedom` knows what names collide with. Whatever it does not know is found by a trial, which judges the
/// project with the changed texts and compares what is sent.
struct Rename {
    let server: LanguageServer
    let id: JSONValue
    let site: Site
    let reader: RoleReader
    let token: RoledToken
    let occurrence: Occurrence
    let old: String
    let new: String
    var edit = WorkspaceEdit()

    /// The range of the name at the place of a request, if the name can be changed.
    static func prepare(_ server: LanguageServer, _ input: RequestInput) throws(ResponseError) -> JSONValue {
        guard let (site, reader, token, occurrence) = try Navigation.occurrence(server, input) else { return .null }
        try checkKind(occurrence)
        if case .refetchQuery(let name) = occurrence {
            let range = (token.range.lowerBound + 1)..<(token.range.upperBound - 1)
            return ["range": site.range(range).json, "placeholder": .string(name)]
        }
        return [
            "range": site.range(token.range).json, "placeholder": .string(reader.text(of: token.token)),
        ]
    }

    private static func checkKind(_ occurrence: Occurrence) throws(ResponseError) {
        switch occurrence {
        case .fragment, .operation, .variable, .fragmentArgument, .alias, .refetchQuery: return
        case .field: throw .failed("the field is the schema's; an alias gives it another name here")
        case .type, .enumValue, .input, .directive: throw .failed("this name is the schema's")
        }
    }

    static func perform(_ server: LanguageServer, _ input: RequestInput) throws(ResponseError) -> JSONValue {
        guard let new = input.parameters["newName"]?.string else { throw .invalidParameters("'newName' is a string") }
        guard let (site, reader, token, occurrence) = try Navigation.occurrence(server, input) else {
            throw .failed("there is no name here that can be changed")
        }
        try checkKind(occurrence)
        guard isName(new) else { throw .failed("'\(new)' is not a name of GraphQL") }
        var rename = Rename(
            server: server, id: input.id, site: site, reader: reader, token: token, occurrence: occurrence,
            old: reader.refetchQuery(token) ?? reader.text(of: token.token), new: new)
        if rename.old != new {
            try rename.collect()
            try rename.tryOut()
        }
        return rename.edit.json(server)
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return text.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
        }
    }

    private mutating func collect() throws(ResponseError) {
        try checkFreedom()
        if case .alias(_, let definition) = occurrence { return try renameAlias(definition) }
        for place in try Navigation.occurrences(of: occurrence, site, reader, server, id) {
            edit.add(server.lines(of: place.path).range(of: place.range), new, to: place.path)
        }
        switch occurrence {
        case .fragment:
            try renameInSwift(.fragment, from: old, to: new)
            if let queries = unnamedQuery(in: site.view) {
                try renameInSwift(.query, from: queries.old, to: queries.new)
            }
        case .operation:
            guard case .operationName(let kind) = token.role else { return }
            try renameInSwift(DefinitionReader.kind(of: kind), from: old, to: new)
        case .refetchQuery: try renameInSwift(.query, from: old, to: new)
        case .variable(_, let definition): try renameLabels(definition)
        default: break
        }
    }

    /// The query that fetches a renamed fragment again and is named after it, before and after.
    func unnamedQuery(in view: ProjectView) -> (old: String, new: String)? {
        guard case .fragment = occurrence,
            let query = view.refetchQueries.first(where: { $0.fragment == old && !$0.isWritten })
        else { return nil }
        return (query.query, new + query.query.dropFirst(old.count))
    }

    // MARK: - Aliases

    /// Renames an alias, and all equal aliases of the same field in the definition, since a response merges them. So
    /// are equal aliases of what is another field in the schema, on an interface and on a type that implements it.
    private mutating func renameAlias(_ definition: Int) throws(ResponseError) {
        guard definition >= 0, let index = reader.index(of: token.token) else {
            throw .failed("the alias has no field")
        }
        let field = field(at: index)
        var equal: Set<Range<Int>> = []
        var others: Set<Range<Int>> = []
        for (index, other) in reader.roled.enumerated() where other.definition == definition {
            guard case .alias = other.role, reader.text(of: other.token) == old else { continue }
            let isOwn = other.token.start == token.token.start
            if isOwn || field != nil && self.field(at: index) === field {
                equal.insert(site.piece.original(other.range))
            } else {
                others.insert(site.piece.original(other.range))
            }
        }
        let owner = reader.definitions[definition]
        for range in try responseNames(owner, equal, among: others) {
            edit.add(site.lines.range(of: range), new, to: site.path)
        }
        guard let name = owner.name else { return }
        let type = GeneratedSwift.type(of: owner.kind, name)
        var names = [(old, new)]
        if let field, let schema = site.schema, schema.namedType(of: field.type).isComposite {
            func nested(_ key: String) -> String {
                NestedTypeName.name(
                    forKey: key, isList: field.type.isList, typeName: schema.namedType(of: field.type).name)
            }
            names.append((nested(old), nested(new)))
        }
        for (path, swift) in try swiftFiles(with: old) {
            let hasType = swift.all.contains { swift.isNamed($0, type) }
            guard hasType || path == site.path else { continue }
            let lines = server.lines(of: path)
            for identifier in swift.all where identifier.isMember {
                for (old, new) in names where swift.isNamed(identifier, old) {
                    edit.add(lines.range(of: identifier.range), new, to: path, isGuess: true)
                }
            }
        }
    }

    /// The field behind the alias with a number.
    private func field(at index: Int) -> SchemaField? {
        guard index + 2 < reader.roled.count, case .field(let field, _) = reader.roled[index + 2].role else {
            return nil
        }
        return field
    }
}
