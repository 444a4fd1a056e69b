import BatonCompiler
import BatonDiagnostics
import BatonProject
import BatonSchema
import BatonSyntax

/// What a new name must not be.
extension Rename {
    func checkFreedom() throws(ResponseError) {
        switch occurrence {
        case .fragment:
            if new == "on" { throw .failed("a fragment cannot be named 'on'") }
            if let other = site.fragments[new] {
                throw taken("there is a fragment '\(new)' already", at: other.path, other.nameRange)
            }
            try checkType(of: .fragment)
        case .operation, .refetchQuery:
            if let other = site.view.index.operations[new] {
                throw taken("there is an operation '\(new)' already", at: other.path, other.nameRange)
            }
            if let other = site.view.refetchQueries.first(where: { $0.query == new }) {
                throw taken("the fragment '\(other.fragment)' is fetched again with a query '\(new)'", at: other.span)
            }
            var kind = DefinitionRecord.Kind.query
            if case .operationName(let own) = token.role { kind = DefinitionReader.kind(of: own) }
            try checkType(of: kind)
        case .variable(_, let definition): try checkVariable(definition)
        case .fragmentArgument(_, let fragment): try checkArgument(of: fragment)
        default: break
        }
    }

    // MARK: - Names of types

    /// Refuses a name whose type in Swift another definition has. Names that differ only in case name one file on some
    /// disks.
    private func checkType(of kind: DefinitionRecord.Kind) throws(ResponseError) {
        let type = GeneratedSwift.type(of: kind, new)
        func collides(_ other: DefinitionRecord.Kind, _ name: String) -> Bool {
            GeneratedSwift.type(of: other, name).lowercased() == type.lowercased()
        }
        for entry in site.view.index.all where collides(entry.kind, entry.name) {
            if entry.name == old, entry.isFragment == (kind == .fragment) { continue }
            let what = entry.isFragment ? "fragment" : "operation"
            throw taken("'\(type)' is the Swift type of the \(what) '\(entry.name)'", at: entry.path, entry.nameRange)
        }
        for query in site.view.refetchQueries where collides(.query, query.query) {
            if query.query == old, kind == .query { continue }
            throw taken("'\(type)' is the Swift type of the query '\(query.query)'", at: query.span)
        }
        for other in site.schema?.types ?? [] where other.kind == .enum || other.kind == .inputObject {
            let name = GeneratedSwift.type(of: other, site.view.configuration)
            if name.lowercased() != type.lowercased() { continue }
            throw taken("'\(type)' is the Swift type of '\(other.name)' of the schema", at: other.span)
        }
    }

    // MARK: - Variables and arguments

    /// Refuses to rename a variable of an operation that a fragment uses, because other operations may reach the
    /// fragment, too.
    private func checkVariable(_ definition: Int) throws(ResponseError) {
        guard definition >= 0 else { return }
        let owner = reader.definitions[definition]
        if owner.kind == .fragment {
            throw .failed("'$\(old)' is a variable of the operations that use the fragment; rename it there")
        }
        let used = reader.roled.first { token in
            guard token.definition == definition, reader.text(of: token.token) == new else { return false }
            switch token.role {
            case .variable, .variableDeclaration: return true
            default: return false
            }
        }
        if let used { throw taken("there is a '$\(new)' already", at: site.path, site.piece.original(used.range)) }
        let spreads = owner.name.flatMap { site.view.index.operations[$0]?.spreads } ?? []
        try forEachFragment(from: spreads) { fragment throws(ResponseError) in
            if let use = try use(of: old, in: fragment) {
                throw taken(
                    "the fragment '\(fragment.name)' uses '$\(old)', and other operations may use the fragment",
                    at: fragment.path, use)
            }
            if let use = try use(of: new, in: fragment) {
                throw taken("the fragment '\(fragment.name)' uses a variable '$\(new)'", at: fragment.path, use)
            }
        }
    }

    /// Refuses the name of a variable that the fragment uses, because the argument would hide the variable. An argument
    /// of a fragment that is fetched again is a variable of its query, beside those of the fragments that it spreads.
    private func checkArgument(of name: String) throws(ResponseError) {
        guard let fragment = site.fragments[name] else { return }
        if fragment.arguments.contains(where: { $0.name == new }) {
            let declaration = try place(of: new, in: fragment) { role in
                if case .argumentDeclaration = role { true } else { false }
            }
            throw taken(
                "the fragment '\(name)' has an argument '\(new)' already", at: fragment.path,
                declaration ?? fragment.nameRange)
        }
        if let use = try use(of: new, in: fragment) {
            throw taken("the fragment uses a variable '$\(new)', which the argument would hide", at: fragment.path, use)
        }
        guard site.view.refetchQueries.contains(where: { $0.fragment == name }) else { return }
        try forEachFragment(from: fragment.spreads) { other throws(ResponseError) in
            guard let use = try use(of: new, in: other) else { return }
            throw taken(
                "the query that fetches '\(name)' again has a variable '$\(new)' for the fragment '\(other.name)'",
                at: other.path, use)
        }
    }

    /// Calls a function for each fragment that spreads lead to.
    private func forEachFragment(
        from spreads: [String], _ body: (DefinitionIndex.Entry) throws(ResponseError) -> Void
    ) throws(ResponseError) {
        var pending = spreads
        var seen: Set<String> = []
        while let name = pending.popLast() {
            guard seen.insert(name).inserted, let fragment = site.fragments[name] else { continue }
            pending += fragment.spreads
            if server.isCancelled(id) { throw .cancelled }
            try body(fragment)
        }
    }

    /// The first place at which a fragment uses a variable that is none of its arguments.
    private func use(of variable: String, in fragment: DefinitionIndex.Entry) throws(ResponseError) -> Range<Int>? {
        if fragment.arguments.contains(where: { $0.name == variable }) { return nil }
        return try place(of: variable, in: fragment) { if case .variable = $0 { true } else { false } }
    }

    /// The first place in a fragment at which a name has a role.
    private func place(
        of name: String, in fragment: DefinitionIndex.Entry, as isMeant: (Role) -> Bool
    ) throws(ResponseError) -> Range<Int>? {
        guard let bytes = server.bytes(of: fragment.path), bytes.hasText(name) else { return nil }
        var range: Range<Int>?
        for piece in GraphQLText(path: fragment.path, bytes: bytes).pieces where range == nil {
            try RoleReader.readDefinitions(
                of: piece, with: fragment.name, schema: nil, fragments: site.fragments
            ) { reader in
                let token = reader.roled.first { token in
                    guard isMeant(token.role), token.definition >= 0 else { return false }
                    let owner = reader.definitions[token.definition]
                    return owner.name == fragment.name && owner.kind == .fragment
                        && reader.text(of: token.token) == name
                }
                if range == nil { range = token.map { piece.original($0.range) } }
            }
        }
        return range
    }

    // MARK: - Response names

    /// Refuses an alias that another field of the same object has, in any response in which the definition takes part.
    /// A response would then have one field for both. A field of another definition that the response has as one with
    /// the alias cannot get another name here, and is refused as well. Returns those of the same definition.
    func responseNames(
        _ owner: RoleReader.OpenDefinition, _ aliases: Set<Range<Int>>, among others: Set<Range<Int>>
    ) throws(ResponseError) -> Set<Range<Int>> {
        guard let schema = site.schema else { return aliases }
        var renamed = aliases
        while true {
            var search = NeighborSearch(
                site.view, schema, definition: (owner.kind == .fragment, owner.name), renamed: (site.path, renamed),
                keys: [old, new])
            switch search.run(isCancelled: { server.isCancelled(id) }) {
            case .none: return renamed
            case .cancelled: throw .cancelled
            case .tooMany:
                let place = renamed.min { $0.lowerBound < $1.lowerBound } ?? 0..<0
                throw taken(
                    "the alias stands in too many places of responses to look at all of them", at: site.path, place)
            case .neighbor(let key, let span):
                if key == old, let place = site.view.place(of: span), place.path == site.path,
                    others.contains(place.range), renamed.insert(place.range).inserted
                {
                    continue
                }
                let what = "another field of the same object is named '\(key)'"
                throw taken(key == old ? what + ", and a response has both as one" : what, at: span)
            }
        }
    }

    // MARK: - The trial

    /// Refuses the rename if the project would not mean the same with it, for any reason.
    func tryOut() throws(ResponseError) {
        let texts = edit.texts(server)
        for served in server.projects.values.sorted(by: { $0.configuration < $1.configuration }) {
            guard let judge = served.judge, texts.keys.contains(where: served.reads) else { continue }
            let trial = RenameTrial(
                judge, served.view, overlays: server.overlays, edited: texts, from: old, to: new)
            guard let objection = trial.objection(to: change(in: served.view)) else { continue }
            let message = "'\(new)' would break the project: " + objection.message
            guard let path = objection.place.path else { throw .failed(message) }
            throw taken(
                message, at: path, Int(objection.place.start)..<Int(max(objection.place.start, objection.place.end)),
                in: texts[path])
        }
    }

    private func change(in view: ProjectView) -> RenameTrial.Change {
        var change = RenameTrial.Change()
        switch occurrence {
        case .operation, .refetchQuery: change.operation = (old, new)
        case .variable(_, let definition):
            if definition >= 0, let name = reader.definitions[definition].name { change.variable = (name, old, new) }
        case .fragmentArgument(_, let fragment):
            if let query = view.refetchQueries.first(where: { $0.fragment == fragment }) {
                change.variable = (query.query, old, new)
            }
        case .fragment: change.operation = unnamedQuery(in: view)
        case .alias: change.key = (old, new)
        default: break
        }
        return change
    }

    // MARK: - Places

    private func taken(_ message: String, at span: Span) -> ResponseError {
        guard let place = site.view.place(of: span) else { return .failed(message) }
        return taken(message, at: place.path, place.range)
    }

    /// The refusal of the name because of what stands at a place. `text` is the text of the file if it is not the
    /// present one.
    private func taken(
        _ message: String, at path: AbsolutePath, _ range: Range<Int>, in text: [UInt8]? = nil
    ) -> ResponseError {
        let lines = text.map { LineIndex($0) } ?? server.lines(of: path)
        let start = lines.range(of: range).start
        let folder = site.view.configuration?.directory ?? path.parent
        return .failed("\(path.displayed(in: folder)):\(start.line + 1):\(start.character + 1): \(message)")
    }
}
