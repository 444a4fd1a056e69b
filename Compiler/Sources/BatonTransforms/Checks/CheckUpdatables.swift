import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

extension DocumentCheck {
    static let updatables = DocumentCheck(
        .mistake, "CheckUpdatables", [.invalidUpdatable], .written { CheckUpdatables.check($0.program) })
}

/// Checks definitions with `@updatable`, through which updates write, and the directives beside `@updatable`.
///
/// - An updatable query or fragment has no directives and conditions: it names places in the store.
/// - It spreads only assignable fragments. Such a spread stands below a field, or under one of the field's type
///   conditions, and means that the fragment's objects may be assigned to the field. An alias of the spread changes
///   nothing.
/// - Type conditions separate object types. A field has either fields or type conditions.
/// - A spread of an assignable fragment in other definitions has a field around it, and at most one type condition
///   between.
/// - A spread of an updatable fragment in other definitions stands in a set whose objects are all of the fragment's
///   type. The set is either that of a field, or that of a type condition below a field with type conditions only.
///
/// Reference: https://relay.dev/docs/guided-tour/updating-data/typesafe-updaters-faq/
struct CheckUpdatables {
    private let program: Program
    private var schema: Schema { program.schema }
    private var diagnostics: [Diagnostic] = []
    /// The kind of the updatable definition, for messages.
    private var what = ""

    static func check(_ program: Program) -> [Diagnostic] {
        var check = CheckUpdatables(program: program)
        for operation in program.operations {
            check.visit(operation.directives, operation.selections, of: operation.type, "updatable query")
        }
        for fragment in program.fragments {
            check.visit(fragment.directives, fragment.selections, of: fragment.type, "updatable fragment")
        }
        return check.diagnostics
    }

    private init(program: Program) {
        self.program = program
    }

    private mutating func visit(
        _ directives: [Directive], _ selections: [TypedSelection], of type: SchemaType, _ what: String
    ) {
        guard directives.named("updatable") != nil else { return visitOrdinary(selections, of: type, []) }
        self.what = what
        refuse(directives.filter { !["updatable", "argumentDefinitions"].contains($0.name.text) })
        visitUpdatable(selections, isTop: true)
    }

    private mutating func report(_ message: String, at span: Span, suggestion: String? = nil) {
        diagnostics.append(Diagnostic(.invalidUpdatable, message, at: span, suggestion: suggestion))
    }

    // MARK: - Updatable definitions

    private mutating func refuse(_ directives: [Directive]) {
        for directive in directives {
            report("'@\(directive.name.text)' cannot stand in an \(what)", at: directive.name.span)
        }
    }

    /// The parser's nesting limit bounds the recursion.
    private mutating func visitUpdatable(_ selections: [TypedSelection], isTop: Bool) {
        for selection in selections {
            switch selection {
            case .field(let field):
                refuse(field.directives)
                checkConditions(below: field)
                visitUpdatable(field.selections, isTop: false)
                checkAssignable(spreadsIn: field.selections, of: schema.namedType(of: field.definition.type), field)
            case .inlineFragment(let inline):
                refuse(inline.directives)
                for case .inlineFragment(let inner) in inline.selections {
                    report("a type condition cannot stand directly in another one in an \(what)", at: inner.span)
                }
                visitUpdatable(inline.selections, isTop: isTop)
            case .spread(let spread):
                refuse(spread.directives.filter { !["alias", "dangerously_unaliased_fixme"].contains($0.name.text) })
                if isTop { refuseTop(spread) }
            }
        }
    }

    private mutating func refuseTop(_ spread: TypedSpread) {
        report(
            "'\(spread.fragment)' says what may be assigned to a field, so it must stand below one",
            at: spread.span)
    }

    /// Checks the spreads below a field, directly or under one of its type conditions.
    private mutating func checkAssignable(
        spreadsIn selections: [TypedSelection], of type: SchemaType, _ field: TypedField
    ) {
        for case .inlineFragment(let inline) in selections {
            checkAssignable(spreadsIn: inline.selections, of: inline.type ?? type, field)
        }
        for case .spread(let spread) in selections {
            guard let fragment = program.fragment(named: spread.fragment) else { continue }
            if fragment.directives.named("assignable") == nil {
                report(
                    "an \(what) spreads only assignable fragments, and '\(fragment.name)' is none", at: spread.span,
                    suggestion: "write '@assignable' on '\(fragment.name)'")
            } else if !schema.isSubtype(fragment.type, of: type) {
                report(
                    "'\(fragment.name)' is on '\(fragment.type.name)', which is no '\(type.name)', so it cannot be assigned to '\(field.responseKey)'",
                    at: spread.span)
            }
        }
    }

    /// Checks the type conditions directly below a field.
    private mutating func checkConditions(below field: TypedField) {
        let inlines = field.selections.compactMap { if case .inlineFragment(let inline) = $0 { inline } else { nil } }
        if inlines.isEmpty { return }
        let type = schema.namedType(of: field.definition.type)
        if inlines.count < field.selections.count {
            report(
                "in an \(what), '\(field.responseKey)' has either type conditions or fields and spreads",
                at: field.span, suggestion: "select the fields under each type condition")
        }
        if !type.isAbstract {
            report("'\(field.responseKey)' is always '\(type.name)', so it needs no type condition", at: field.span)
        }
        checkEach(inlines, of: field)
    }

    /// Checks that each type condition is one on another object type, with `__typename`.
    private mutating func checkEach(_ inlines: [TypedInlineFragment], of field: TypedField) {
        var seen: Set<String> = []
        for inline in inlines {
            guard let condition = inline.type else {
                report("the selections below '\(field.responseKey)' need a type condition", at: inline.span)
                continue
            }
            if condition.isAbstract {
                report("the type condition must be on an object type, and '\(condition.name)' is none", at: inline.span)
            }
            if !seen.insert(condition.name).inserted {
                report("'\(field.responseKey)' has another type condition on '\(condition.name)'", at: inline.span)
            }
            if !inline.selections.contains(where: Self.isTypename) {
                report("the type condition on '\(condition.name)' must select '__typename'", at: inline.span)
            }
        }
    }

    private static func isTypename(_ selection: TypedSelection) -> Bool {
        guard case .field(let field) = selection else { return false }
        return field.definition.name == "__typename" && field.responseKey == "__typename" && field.directives.isEmpty
    }

    // MARK: - Other definitions

    /// One level of the surroundings of a spread.
    private enum Step {
        case field(TypedField)
        /// A type condition with an alias, which makes an object of its own.
        case alias
        case typeCondition
        case condition
    }

    /// The parser's nesting limit bounds the recursion.
    private mutating func visitOrdinary(_ selections: [TypedSelection], of type: SchemaType, _ path: [Step]) {
        for selection in selections {
            switch selection {
            case .field(let field):
                if field.selections.isEmpty { continue }
                let inner = path + Self.conditions(field.directives) + [.field(field)]
                visitOrdinary(field.selections, of: schema.namedType(of: field.definition.type), inner)
            case .inlineFragment(let inline):
                if inline.directives.named("alias") != nil, let own = inline.type {
                    visitOrdinary(inline.selections, of: own, [.alias])
                    continue
                }
                // Only conditions and type conditions up to the nearest field matter.
                let own: [Step] = inline.type == nil && inline.directives.haveConditions ? [] : [.typeCondition]
                visitOrdinary(inline.selections, of: type, path + Self.conditions(inline.directives) + own)
            case .spread(let spread):
                guard let fragment = program.fragment(named: spread.fragment) else { continue }
                if fragment.directives.named("updatable") != nil {
                    check(spread, of: fragment, in: type, path)
                } else if fragment.directives.named("assignable") != nil {
                    checkAssignable(spread, path)
                }
            }
        }
    }

    private static func conditions(_ directives: [Directive]) -> [Step] {
        directives.haveConditions ? [.condition] : []
    }

    /// The nearest field or alias around a spread, and the type conditions between the two.
    private struct Surroundings {
        var field: TypedField?
        var hasAlias = false
        var typeConditions = 0
    }

    /// The surroundings of a spread. Reports directives on the spread, and conditions around it.
    private mutating func surroundings(of spread: TypedSpread, _ path: [Step], _ kind: String) -> Surroundings {
        for directive in spread.directives where directive.name.text != "dangerously_unaliased_fixme" {
            report(
                "'@\(directive.name.text)' cannot stand on the spread of \(kind) fragment", at: directive.name.span)
        }
        var result = Surroundings()
        for step in path.reversed() {
            switch step {
            case .field(let nearest):
                result.field = nearest
                return result
            case .alias:
                result.hasAlias = true
                return result
            case .condition: report("\(kind) fragment cannot be spread under '@include' or '@skip'", at: spread.span)
            case .typeCondition: result.typeConditions += 1
            }
        }
        return result
    }

    /// Checks the spread of an assignable fragment, whose references can be passed to a setter.
    private mutating func checkAssignable(_ spread: TypedSpread, _ path: [Step]) {
        let around = surroundings(of: spread, path, "an assignable")
        if around.typeConditions > 1 {
            report("an assignable fragment can be spread under one type condition only", at: spread.span)
        } else if let field = around.field {
            if around.typeConditions == 1 { checkUnion(field, "an assignable") }
        } else if !around.hasAlias {
            report("the spread of an assignable fragment needs a field around it", at: spread.span)
        }
    }

    private mutating func check(
        _ spread: TypedSpread, of fragment: Fragment, in type: SchemaType, _ path: [Step]
    ) {
        let around = surroundings(of: spread, path, "an updatable")
        if around.typeConditions > 1 {
            report("an updatable fragment can be spread under one type condition only", at: spread.span)
        } else if around.typeConditions == 1, around.field == nil {
            report(
                "an updatable fragment that is spread under a type condition needs a field around it",
                at: spread.span)
        } else if around.typeConditions == 1, let field = around.field {
            checkUnion(field, "an updatable")
        } else if !schema.isSubtype(type, of: fragment.type) {
            report(
                "'\(fragment.name)' is on '\(fragment.type.name)', and an object here need not be one: it is of type '\(type.name)'",
                at: spread.span, suggestion: "spread it under a type condition")
        }
    }

    /// Checks a field with a spread of an updatable or assignable fragment under one of its type conditions.
    private mutating func checkUnion(_ field: TypedField, _ kind: String) {
        let type = schema.namedType(of: field.definition.type)
        if !type.isAbstract {
            return report(
                "\(kind) fragment is spread below '\(field.responseKey)' under a type condition, but the field is always '\(type.name)'",
                at: field.span)
        }
        var inlines: [TypedInlineFragment] = []
        for selection in field.selections {
            guard case .inlineFragment(let inline) = selection, inline.directives.isEmpty else {
                return report(
                    "below '\(field.responseKey)' there must be only type conditions without directives, because \(kind) fragment is spread under one of them",
                    at: field.span)
            }
            inlines.append(inline)
        }
        checkEach(inlines, of: field)
    }
}
