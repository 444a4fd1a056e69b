import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// The variables that a fragment takes from the operation, each with the strictest type that its uses expect.
///
/// A fragment takes the variables that it uses and does not declare as arguments, and those that the fragments below it
/// take. Each question about a fragment costs time linear in the fragments that it reaches.
struct VariableTypes {
    private let program: Program
    private let schema: Schema
    /// The direct uses of each fragment that was asked about.
    private var known: [String: [String: TypeReference]] = [:]

    init(_ program: Program) {
        self.program = program
        schema = program.schema
    }

    /// The variables that a fragment and the fragments below it take from the operation.
    mutating func variables(of fragment: Fragment) -> [String: TypeReference] {
        var result: [String: TypeReference] = [:]
        var seen: Set<String> = [fragment.name]
        var pending = [fragment]
        while let next = pending.popLast() {
            for (name, type) in uses(in: next) { strengthen(&result, name, type) }
            for spread in TypedSelection.spreads(in: next.selections) {
                guard seen.insert(spread.fragment).inserted, let inner = program.fragment(named: spread.fragment) else {
                    continue
                }
                pending.append(inner)
            }
        }
        return result
    }

    /// The first use of an operation's variable in the fragments below a fragment, in the order of spreads.
    mutating func use(of name: String, below fragment: Fragment) -> (fragment: String, place: Span)? {
        var seen: Set<String> = [fragment.name]
        var pending = TypedSelection.spreads(in: fragment.selections).reversed().map(\.fragment)
        while let next = pending.popLast() {
            guard seen.insert(next).inserted, let inner = program.fragment(named: next) else { continue }
            if uses(in: inner)[name] != nil {
                var place = inner.span
                TypedSelection.forEachVariable(in: inner.selections) { if $0.name == name { place = $0.span } }
                return (next, place)
            }
            pending += TypedSelection.spreads(in: inner.selections).reversed().map(\.fragment)
        }
        return nil
    }

    /// The variables that a fragment itself takes from the operation, without the fragments below it.
    mutating func ownVariables(of fragment: Fragment) -> [String: TypeReference] { uses(in: fragment) }

    private mutating func uses(in fragment: Fragment) -> [String: TypeReference] {
        if let uses = known[fragment.name] { return uses }
        var uses: [String: TypeReference] = [:]
        visit(fragment.selections, &uses)
        for argument in fragment.arguments { uses[argument.name] = nil }
        known[fragment.name] = uses
        return uses
    }

    /// The parser's nesting limit bounds the recursion.
    private func visit(_ selections: [TypedSelection], _ uses: inout [String: TypeReference]) {
        for selection in selections {
            switch selection {
            case .field(let field):
                for argument in field.arguments {
                    visit(argument.value, field.definition.argument(named: argument.name.text)?.type, &uses)
                }
                visit(field.directives, &uses)
                visit(field.selections, &uses)
            case .inlineFragment(let inline):
                visit(inline.directives, &uses)
                visit(inline.selections, &uses)
            case .spread(let spread):
                visit(spread.directives, &uses)
                let declared = program.fragment(named: spread.fragment)?.arguments ?? []
                for argument in spread.arguments {
                    visit(argument.value, declared.first { $0.name == argument.name.text }?.type, &uses)
                }
            }
        }
    }

    private func visit(_ directives: [Directive], _ uses: inout [String: TypeReference]) {
        for directive in directives where !TypedSpread.argumentDirectives.contains(directive.name.text) {
            let definition = schema.directive(named: directive.name.text)
            for argument in directive.arguments {
                visit(argument.value, definition?.argument(named: argument.name.text)?.type, &uses)
            }
        }
    }

    /// The parser's nesting limit bounds the recursion.
    private func visit(_ value: Value, _ type: TypeReference?, _ uses: inout [String: TypeReference]) {
        switch value {
        case .variable(let variable): if let type { strengthen(&uses, variable.name, type) }
        case .list(let list): for item in list.values { visit(item, type?.item ?? type, &uses) }
        case .object(let object):
            let input = type.map { schema.namedType(of: $0) }
            for field in object.fields { visit(field.value, input?.inputField(named: field.name.text)?.type, &uses) }
        case .int, .float, .string, .boolean, .null, .enum: break
        }
    }

    private func strengthen(_ uses: inout [String: TypeReference], _ name: String, _ type: TypeReference) {
        guard let known = uses[name] else {
            uses[name] = type
            return
        }
        if schema.isSubtype(type, of: known) { uses[name] = type }
    }
}

extension TypedSelection {
    /// Calls a function with each variable that selections use, at any depth, including variables that are passed to
    /// fragments. The parser's nesting limit bounds the recursion.
    static func forEachVariable(in selections: [TypedSelection], _ body: (Variable) -> Void) {
        func visit(_ directives: [Directive]) {
            for argument in directives.flatMap(\.arguments) { argument.value.forEachVariable(body) }
        }
        for selection in selections {
            switch selection {
            case .field(let field):
                for argument in field.arguments { argument.value.forEachVariable(body) }
                visit(field.directives)
                forEachVariable(in: field.selections, body)
            case .inlineFragment(let inline):
                visit(inline.directives)
                forEachVariable(in: inline.selections, body)
            case .spread(let spread): visit(spread.directives)
            }
        }
    }
}
