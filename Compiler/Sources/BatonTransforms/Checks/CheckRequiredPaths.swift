import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

extension DocumentCheck {
    static let requiredPaths = DocumentCheck(
        .mistake, "CheckRequiredPaths", [.differentNullability], .written { CheckRequiredPaths.check($0.program) })
}

/// Checks that `@required` is the same in all selections of one place in a definition's data.
///
/// - A field is required with the same action in all selections, or in none.
/// - A field that is required in one selection of the field around it is in all of them. Otherwise the field around it
///   would be null in one selection, and an object in the other.
///
/// Places are distinguished by response keys, and by the aliases of inline fragments; types do not count.
///
/// Reference: https://relay.dev/docs/guides/required-directive/
struct CheckRequiredPaths {
    /// The facts about one place.
    private struct Place {
        var children: [String: Int] = [:]
        /// The first selection of the place.
        var first: (action: String?, span: Span)?
        /// The required fields of the last selection, each with its place in the document.
        var required: [Int: Span]?
    }

    private var places: [Place] = [Place()]
    private var diagnostics: [Diagnostic] = []

    static func check(_ program: Program) -> [Diagnostic] {
        var found: [Diagnostic] = []
        for operation in program.operations { found += check(operation.selections) }
        for fragment in program.fragments { found += check(fragment.selections) }
        return found
    }

    private static func check(_ selections: [TypedSelection]) -> [Diagnostic] {
        guard TypedSelection.hasField(in: selections, where: { $0.directives.named("required") != nil }) else {
            return []
        }
        var check = CheckRequiredPaths()
        var required: [Int: Span] = [:]
        check.visit(selections, at: 0, &required)
        return check.diagnostics
    }

    /// Visits the selections of a place, and adds the required fields to `required`. The parser's nesting limit bounds
    /// the recursion.
    private mutating func visit(_ selections: [TypedSelection], at place: Int, _ required: inout [Int: Span]) {
        for selection in selections {
            switch selection {
            case .field(let field): visit(field, at: place, &required)
            case .inlineFragment(let inline):
                guard let alias = inline.directives.named("alias") else {
                    visit(inline.selections, at: place, &required)
                    continue
                }
                var name = inline.type?.name ?? ""
                if case .string(let written)? = alias.argument("as") { name = written.text }
                visit(inline.selections, of: child(name, of: place), inline.span)
            case .spread: break
            }
        }
    }

    private mutating func visit(_ field: TypedField, at place: Int, _ required: inout [Int: Span]) {
        let child = child(field.responseKey, of: place)
        let directive = field.directives.named("required")
        var action: String?
        if case .enum(let name)? = directive?.argument("action") { action = name.text }
        if let directive { required[child] = directive.name.span }
        compare(action, directive?.name.span ?? field.span, at: child, field)
        if !field.selections.isEmpty { visit(field.selections, of: child, field.span) }
    }

    /// Visits one selection of a place, and compares its required fields with those of the previous selection.
    private mutating func visit(_ selections: [TypedSelection], of place: Int, _ span: Span) {
        var required: [Int: Span] = [:]
        visit(selections, at: place, &required)
        if let before = places[place].required {
            let first = places[place].first?.span ?? span
            for (_, field) in required.filter({ before[$0.key] == nil }).sorted(by: { $0.value < $1.value }) {
                reportMissing(field, in: first)
            }
            for (_, field) in before.filter({ required[$0.key] == nil }).sorted(by: { $0.value < $1.value }) {
                reportMissing(field, in: span)
            }
        }
        if places[place].first == nil { places[place].first = (nil, span) }
        places[place].required = required
    }

    private mutating func child(_ key: String, of place: Int) -> Int {
        if let known = places[place].children[key] { return known }
        places[place].children[key] = places.count
        places.append(Place())
        return places.count - 1
    }

    private mutating func compare(_ action: String?, _ span: Span, at place: Int, _ field: TypedField) {
        guard let first = places[place].first else {
            places[place].first = (action, span)
            return
        }
        if first.action == action { return }
        let key = field.responseKey
        if let action, let other = first.action {
            diagnostics.append(
                Diagnostic(
                    .differentNullability,
                    "'\(key)' is required with the action '\(action)' here and '\(other)' elsewhere",
                    at: span, notes: [.init("'\(other)' stands here", at: first.span)],
                    suggestion: "write the same action at each place"))
        } else {
            let (here, there) = action == nil ? (first.span, span) : (span, first.span)
            diagnostics.append(
                Diagnostic(
                    .differentNullability, "'\(key)' is required here, but not where it is selected again", at: here,
                    notes: [.init("selected without '@required' here", at: there)],
                    suggestion: "write the same '@required' at each place"))
        }
    }

    private mutating func reportMissing(_ field: Span, in other: Span) {
        diagnostics.append(
            Diagnostic(
                .differentNullability, "the field is required here, but another selection of the field around lacks it",
                at: field, notes: [.init("it is missing here", at: other)],
                suggestion: "select the field with the same '@required' there, too"))
    }
}
