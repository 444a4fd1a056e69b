import Baton
import BatonSchema
import BatonSyntax

/// The data that documents show of a world, by the meaning of the language alone. No text, plan or store takes part.
///
/// The data of a definition are a JSON object without its null fields. A spread is a member `...Name` with the data of
/// the fragment, in a list because two spreads of a fragment may pass different arguments. `CompiledMeaning.errors`
/// replaces data with errors, and `CompiledMeaning.missing` replaces data that a required field removes.
struct SourceMeaning {
    private typealias Ambiguity = SourceAnswer.Ambiguity

    /// An error that was not caught so far.
    private struct Trouble {
        let path: String
        /// Whether a required field without a value has caused the error, rather than the server.
        let isRequired: Bool
    }

    /// The place in which the fields of an object are read.
    private struct Place {
        let component: String
        var path: String = ""
        /// Whether errors are caught or thrown in this place.
        var collects: Bool

        func inner(_ key: String) -> Place {
            var inner = self
            inner.path += "." + key
            return inner
        }
    }

    private let document: SourceDocument
    /// All errors that a reader may report, each with its definition.
    private(set) var paths: Set<String> = []

    init(_ document: SourceDocument) { self.document = document }

    /// The data of an operation; null if a required field is null at its root.
    ///
    /// Throws `Ambiguity` if the language does not say which errors are met.
    mutating func data(of operation: OperationDefinition) throws(SourceAnswer.Ambiguity) -> JSONValue {
        let answer = try SourceAnswer.make(document, operation.selectionSet)
        let name = operation.name?.text ?? ""
        return try data(of: name, operation.directives, [(operation.selectionSet, [:])], answer)
    }

    /// The data of a definition.
    private mutating func data(
        of name: String, _ directives: [Directive], _ sets: [SourceDocument.ScopedSet], _ node: SourceAnswer.Node
    ) throws(Ambiguity) -> JSONValue {
        let catches = directives.catchTarget
        let throwsErrors = directives.named("throwOnFieldError") != nil && catches == nil
        var troubles: [Trouble] = []
        let place = Place(component: name, collects: throwsErrors || catches != nil)
        let data = try shown(node, sets, at: place, &troubles)
        if troubles.isEmpty { return data }
        for trouble in troubles { paths.insert(trouble.path) }
        if catches == "NULL" { return .null }
        if throwsErrors || catches == "RESULT" { return CompiledMeaning.errors }
        return troubles.contains { $0.isRequired } ? CompiledMeaning.missing : data
    }

    /// The data of an object, in a definition or in an inline fragment with an alias.
    private mutating func data(
        of sets: [SourceDocument.ScopedSet], on object: World.Object, _ fields: [String: SourceAnswer.Field],
        at place: Place, _ troubles: inout [Trouble]
    ) throws(Ambiguity) -> JSONValue {
        guard let type = document.world.schema.type(named: object.typeName) else { return .null }
        var collected = SourceDocument.Collected()
        for set in sets { document.collect(set, type, isReader: true, &collected) }
        var members: [JSONValue.Member] = []
        var own: [Trouble] = []
        // Whether a field without a value removes the object, and whether that happens without an error of the field.
        var (falls, fallsInSilence) = (false, false)
        for (key, occurrences) in collected.fields {
            guard let field = fields[key] else { throw Ambiguity() }
            let count = own.count
            let value = try value(of: occurrences, field.node, at: place.inner(key), &own)
            if value != .null {
                members.append(.init(key, value))
            } else if occurrences.required != nil {
                falls = true
                if own.count == count { fallsInSilence = true }
            }
        }
        for (alias, inline) in collected.aliased {
            var inner: [Trouble] = []
            var place = place
            let target = inline.directives.catchTarget
            if target != nil { place.collects = true }
            let data = try data(of: inline.sets, on: object, fields, at: place, &inner)
            let value = caught(data, target, &inner)
            own += inner
            if value != .null { members.append(.init(alias, value)) }
        }
        troubles += own
        if falls {
            // Fields after the required field are not read, so that their errors may go unnoticed.
            if fallsInSilence, !own.isEmpty { throw Ambiguity() }
            return .null
        }
        var shown: [String: Set<JSONValue>] = [:]
        for (fragment, scope) in collected.spreads {
            let name = fragment.name.text
            let data = try data(
                of: name, fragment.directives, [(fragment.selectionSet, scope)], .object(object, fields))
            shown["...\(name)", default: []].insert(data)
        }
        members += shown.map { .init($0.key, .array($0.value.sorted { $0.text < $1.text })) }
        return .object(members.sorted { $0.name < $1.name })
    }

    /// The value of a field after `@required` and `@catch`.
    private mutating func value(
        of occurrences: [SourceDocument.Occurrence], _ node: SourceAnswer.Node, at outer: Place,
        _ troubles: inout [Trouble]
    ) throws(Ambiguity) -> JSONValue {
        let target = occurrences.lazy.compactMap { $0.field.directives.catchTarget }.first
        var place = outer
        if target != nil { place.collects = true }
        let sets = occurrences.compactMap { occurrence in
            occurrence.field.selectionSet.map { ($0, occurrence.scope) }
        }
        var own: [Trouble] = []
        if place.collects, node.hasError {
            own.append(Trouble(path: place.component + place.path, isRequired: false))
        }
        let value = try shown(node, sets, at: place, &own)
        if value == .null, occurrences.required == "THROW", !own.contains(where: \.isRequired) {
            own.append(Trouble(path: place.component + place.path, isRequired: true))
        }
        // A field with a null inside removes a required field around it, which is an error of its own. An error does
        // the same if the type of the inner field has no null.
        if value == .null || occurrences.required == "THROW" && !own.isEmpty {
            paths.insert(place.component + place.path)
        }
        let result = caught(value, target, &own)
        troubles += own
        return result
    }

    /// The value with errors after `@catch`.
    private mutating func caught(_ value: JSONValue, _ target: String?, _ troubles: inout [Trouble]) -> JSONValue {
        guard let target, !troubles.isEmpty else { return value }
        for trouble in troubles { paths.insert(trouble.path) }
        troubles = []
        return target == "NULL" ? .null : CompiledMeaning.errors
    }

    private mutating func shown(
        _ node: SourceAnswer.Node, _ sets: [SourceDocument.ScopedSet], at place: Place, _ troubles: inout [Trouble]
    ) throws(Ambiguity) -> JSONValue {
        switch node {
        case .null: return .null
        case .leaf(let json): return json
        case .object(let object, let fields): return try data(of: sets, on: object, fields, at: place, &troubles)
        case .list(let items):
            var shown: [JSONValue] = []
            for (index, item) in items.enumerated() {
                shown.append(try self.shown(item, sets, at: place.inner("\(index)"), &troubles))
            }
            return .array(shown)
        }
    }
}

extension [Directive] {
    /// The target of `@catch`; nil without the directive.
    fileprivate var catchTarget: String? {
        guard let directive = named("catch") else { return nil }
        if case .enum(let target)? = directive.argument("to") { return target.text }
        return "RESULT"
    }
}

extension [SourceDocument.Occurrence] {
    /// The action of `@required`.
    fileprivate var required: String? {
        for occurrence in self {
            if case .enum(let action)? = occurrence.field.directives.named("required")?.argument("action") {
                return action.text
            }
        }
        return nil
    }
}
