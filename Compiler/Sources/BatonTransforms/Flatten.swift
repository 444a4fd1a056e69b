import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// Merges selections into sets in which a response key occurs once, and settles type conditions where it can.
///
/// Before:
///
///     { hero { name } ... on Query { hero { rank } } hero @include(if: $a) { age } ...Rest }
///
/// After:
///
///     { hero { name rank [a] age } ...Rest }
///
/// - A type condition that always matches dissolves; one that never matches goes away with its selections.
/// - *Reading* keeps spreads. An inline fragment that may match holds everything that `asType` reads: the items of the
///   set around it too, except inline fragments beside it that its own type does not settle.
/// - *Normalization* inlines every spread.
/// - *Text* inlines the spreads that it is told to. The same key under another condition stays apart, because the text
///   has no way to say 'or'; so does what has directives of the server. Sets of fields on an abstract type begin with
///   `__typename`.
///
/// A condition on an abstract type that its own context does not settle stays for normalization and text even where the
/// place into which it was inlined does settle it: a reader will ask the store, and the store learns it from the
/// answer.
///
/// Runs after `ResolveConditions`, and after `GenerateIDs` where those are wanted. Costs time linear in its output.
package struct Flatten {
    package enum Purpose: Sendable, Hashable {
        case reading
        case normalization
        case text(inlining: Set<String>)
    }

    /// Sets that nest deeper than this, spreads followed, are reported instead of flattened.
    package static let depthLimit = 200

    private let schema: Schema
    private let purpose: Purpose
    private let fragment: (String) -> Fragment?
    private let isText: Bool
    /// A plan with more items than this, spreads followed, is reported instead of made: fragments that spread others
    /// twice could double it with each.
    package static let sizeLimit = 200_000

    /// Where the depth limit was exceeded.
    package private(set) var tooDeep: Span?
    private var size = 0

    /// Whether the size limit was exceeded.
    package var isTooLarge: Bool { size > Self.sizeLimit }

    package init(schema: Schema, purpose: Purpose, fragment: @escaping (String) -> Fragment?) {
        self.schema = schema
        self.purpose = purpose
        self.fragment = fragment
        if case .text = purpose { isText = true } else { isText = false }
    }

    package mutating func flatten(_ selections: [TypedSelection], on type: SchemaType) -> SelectionPlan {
        let source = Source(selections: selections, condition: .always, context: type, place: .root)
        return flatten([source], on: type, under: .always, depth: 0, head: [])
    }

    /// Makes a set of sources; `condition` is the one under which the set itself is reached.
    private mutating func flatten(
        _ sources: [Source],
        on type: SchemaType,
        under condition: Condition,
        depth: Int,
        head: [SelectionPlan.Item]
    ) -> SelectionPlan {
        var collected = Collected()
        for source in sources { collect(source, on: type, into: &collected) }
        size += collected.slots.count
        if isTooLarge { return SelectionPlan(type: type) }
        if !condition.isAlways { collected.drop(conditionsImpliedBy: condition) }
        var items = head
        items.reserveCapacity(head.count + collected.slots.count)
        for slot in collected.slots {
            switch slot {
            case .field(let index):
                let group = collected.fields[index]
                items.append(.field(finish(group, on: type, under: condition, depth: depth)))
            case .inline(let index):
                let group = collected.inlines[index]
                items.append(.inline(finish(group, inside: sources, on: type, under: condition, depth: depth)))
            case .spread(let index):
                let group = collected.spreads[index]
                items.append(
                    .spread(
                        SelectionPlan.Spread(
                            fragment: group.spread.fragment,
                            typeCondition: group.typeCondition,
                            directives: group.spread.directives,
                            condition: group.condition,
                            span: group.spread.span
                        )
                    )
                )
            }
        }
        return SelectionPlan(type: type, items: items)
    }

    private mutating func finish(
        _ group: FieldGroup,
        on parent: SchemaType,
        under outer: Condition,
        depth: Int
    ) -> SelectionPlan.Field {
        // An object may narrow the type that its interface gives the field. Another interface of the object may have a
        // wider one, which would ask again what the place where the field was written settles.
        let own = parent.field(named: group.field.definition.name)
        let isNarrower = own.map { schema.isSubtype($0.type, of: group.field.definition.type) } ?? false
        let definition = isNarrower ? own ?? group.field.definition : group.field.definition
        let type = schema.namedType(of: definition.type)
        var selections: SelectionPlan?
        if type.isComposite {
            if depth >= Self.depthLimit {
                tooDeep = tooDeep ?? group.field.span
                selections = SelectionPlan(type: type)
            } else {
                let inner = group.condition.isAlways ? outer : group.condition
                let sources = relative(group.sources.all, to: inner)
                selections = flatten(sources, on: type, under: inner, depth: depth + 1, head: head(on: type))
            }
        }
        return SelectionPlan.Field(
            responseKey: group.field.responseKey,
            definition: definition,
            arguments: group.field.arguments,
            directives: isText ? group.field.directives : [],
            condition: group.condition,
            selections: selections,
            span: group.field.span
        )
    }

    private mutating func finish(
        _ group: InlineGroup,
        inside around: [Source],
        on parent: SchemaType,
        under outer: Condition,
        depth: Int
    ) -> SelectionPlan.Inline {
        var sources = group.sources.all
        if purpose == .reading {
            sources =
                around.map {
                    var source = $0
                    source.around.append(parent)
                    return source
                } + sources
        }
        var selections = SelectionPlan(type: group.type)
        if depth >= Self.depthLimit {
            tooDeep = tooDeep ?? group.span
        } else {
            let inner = group.condition.isAlways ? outer : group.condition
            selections = flatten(
                relative(sources, to: inner),
                on: group.type,
                under: inner,
                depth: depth + 1,
                head: []
            )
        }
        return SelectionPlan.Inline(
            type: group.type,
            directives: group.directives,
            condition: group.condition,
            selections: selections,
            span: group.span
        )
    }

    /// What the condition of the whole already implies need not be asked again.
    private func relative(_ sources: [Source], to condition: Condition) -> [Source] {
        if condition.isAlways { return sources }
        return sources.map { source in
            var source = source
            if condition.implies(source.condition) { source.condition = .always }
            return source
        }
    }

    private func head(on type: SchemaType) -> [SelectionPlan.Item] {
        guard isText, type.isAbstract, let definition = schema.field(named: "__typename", on: type) else { return [] }
        return [
            .field(
                SelectionPlan.Field(
                    responseKey: "__typename",
                    definition: definition,
                    arguments: [],
                    directives: [],
                    condition: .always,
                    selections: nil,
                    span: .none
                )
            )
        ]
    }

    // MARK: - Collecting

    /// Visits selections in document order with a stack of its own, since fragments can spread one another in long
    /// chains.
    private func collect(_ source: Source, on type: SchemaType, into collected: inout Collected) {
        var stack: [(source: Source, next: Int)] = [(source, 0)]
        while let top = stack.last {
            guard top.next < top.source.selections.count else {
                stack.removeLast()
                continue
            }
            stack[stack.count - 1].next += 1
            switch top.source.selections[top.next] {
            case .field(let field):
                guard let condition = top.source.condition.and(field.condition) else { continue }
                if field.responseKey == "__typename", field.definition.name == "__typename" { continue }
                let inner = Source(
                    selections: field.selections,
                    condition: condition,
                    context: schema.namedType(of: field.definition.type),
                    place: .field(field.span)
                )
                collected.add(field, inner, keepingApart: isText)
            case .inlineFragment(let inline):
                guard let condition = top.source.condition.and(inline.condition) else { continue }
                let target = inline.type ?? top.source.context
                let isSettled = inline.type == nil || schema.isSubtype(top.source.context, of: target)
                let inner = Source(
                    selections: inline.selections,
                    condition: condition,
                    context: isSettled ? top.source.context : target,
                    place: .inlineFragment(inline.span, inline.type?.id),
                    around: top.source.around
                )
                if isText, !inline.directives.isEmpty {
                    // What the server makes of it is not known, so that it stays what it is.
                    let group = inline.type ?? type
                    guard schema.overlap(type, group) else { continue }
                    collected.add(
                        group: group, inner, condition: condition, span: inline.span, directives: inline.directives,
                        keepingApart: true)
                } else if inline.type == nil {
                    stack.append((inner, 0))
                } else if place(inner, on: target, isSettled: isSettled, span: inline.span, in: type, &collected) {
                    stack.append((inner, 0))
                }
            case .spread(let spread):
                guard let condition = top.source.condition.and(spread.condition) else { continue }
                if let inlined = collect(spread, condition, from: top.source, on: type, into: &collected) {
                    stack.append((inlined, 0))
                }
            }
        }
    }

    /// Adds a spread; gives selections that take its place right here.
    private func collect(
        _ spread: TypedSpread,
        _ condition: Conjunction,
        from source: Source,
        on type: SchemaType,
        into collected: inout Collected
    ) -> Source? {
        guard let definition = fragment(spread.fragment) else { return nil }
        let target = definition.type
        let isKept: Bool
        switch purpose {
        case .reading:
            guard schema.overlap(type, target) else { return nil }
            let isSettled = self.isSettled(target, in: type, for: source)
            collected.add(spread, condition, typeCondition: isSettled ? nil : target, keepingApart: false)
            return nil
        case .normalization: isKept = false
        case .text(let inlining): isKept = !inlining.contains(spread.fragment)
        }
        let isSettled = schema.isSubtype(source.context, of: target)
        let visit = Visit(fragment: spread.fragment, directives: spread.directives, condition: condition)
        guard collected.visited.insert(visit).inserted else {
            // Another place may ask what the first one knew.
            if !isSettled { discriminate(target, condition, in: type, span: spread.span, &collected) }
            return nil
        }
        if isKept {
            let kept = TypedSpread(fragment: spread.fragment, directives: spread.directives, span: spread.span)
            let inner = Source(
                selections: [.spread(kept)],
                condition: condition,
                context: target,
                place: .spread(spread.fragment, spread.directives)
            )
            if place(inner, on: target, isSettled: isSettled, span: spread.span, in: type, &collected) {
                collected.add(spread, condition, typeCondition: nil, keepingApart: true)
            }
            return nil
        }
        // A fragment is read by a plan of its own, so that nothing but its type settles what is in it.
        let inner = Source(
            selections: definition.selections,
            condition: condition,
            context: target,
            place: .fragment(spread.fragment)
        )
        return place(inner, on: target, isSettled: isSettled, span: spread.span, in: type, &collected) ? inner : nil
    }

    /// Whether every object of a set has a type: by the type of the set, or by a set around it to which the selections
    /// belong.
    private func isSettled(_ target: SchemaType, in type: SchemaType, for source: Source) -> Bool {
        schema.isSubtype(type, of: target) || source.around.contains { schema.isSubtype($0, of: target) }
    }

    /// Whether a field of an interface has another shape on the type, such as `String!` for `String`. What a fragment
    /// that stays apart selects has the interface's, and the two could not stand beside each other.
    ///
    /// Specification: https://spec.graphql.org/September2025/#SameResponseShape()
    private func narrowsFields(in selections: [TypedSelection], of target: SchemaType, to type: SchemaType) -> Bool {
        if target.id == type.id { return false }
        return selections.contains { selection in
            switch selection {
            case .field(let field):
                guard let narrowed = type.field(named: field.definition.name) else { return false }
                if !narrowed.type.isWrapped(like: field.definition.type) { return true }
                return narrowsFields(
                    in: field.selections,
                    of: schema.namedType(of: field.definition.type),
                    to: schema.namedType(of: narrowed.type)
                )
            case .inlineFragment(let inline):
                return inline.type == nil && narrowsFields(in: inline.selections, of: target, to: type)
            case .spread: return false
            }
        }
    }

    /// Puts selections under a type condition into its group; says whether they belong directly into the set instead.
    ///
    /// `isSettled` says whether the type in whose context the condition was written implies it.
    private func place(
        _ source: Source,
        on target: SchemaType,
        isSettled: Bool,
        span: Span,
        in type: SchemaType,
        _ collected: inout Collected
    ) -> Bool {
        if self.isSettled(target, in: type, for: source) {
            if isText, narrowsFields(in: source.selections, of: target, to: type) {
                collected.add(group: target, source, condition: source.condition, span: span, keepingApart: true)
                return false
            }
            if !isSettled { discriminate(target, source.condition, in: type, span: span, &collected) }
            return true
        }
        if source.isInherited { return false }
        if schema.overlap(type, target) {
            collected.add(group: target, source, condition: source.condition, span: span, keepingApart: isText)
        } else {
            discriminate(target, source.condition, in: type, span: span, &collected)
        }
        return false
    }

    /// Lets the answer say whether an object is of an abstract type, because a reader will ask the store.
    private func discriminate(
        _ target: SchemaType,
        _ condition: Conjunction,
        in type: SchemaType,
        span: Span,
        _ collected: inout Collected
    ) {
        guard target.isAbstract else { return }
        switch purpose {
        case .reading: return
        case .normalization: break
        // That it comes for no object need not be asked.
        case .text: if !schema.overlap(type, target) { return }
        }
        collected.add(group: target, nil, condition: condition, span: span, keepingApart: isText)
    }
}
