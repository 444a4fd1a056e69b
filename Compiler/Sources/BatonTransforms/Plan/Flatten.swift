import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// Merges selections into sets in which each response key occurs once, and resolves type conditions where it can.
///
/// Before:
///
///     { hero { name } ... on Query { hero { rank } } hero @include(if: $a) { age } ...Rest }
///
/// After:
///
///     { hero { name rank [a] age } ...Rest }
///
/// - A type condition that always matches is removed. One that never matches is removed with its selections.
/// - *Reading* keeps spreads. An inline fragment that may match holds everything that `asType` reads. This includes the
///   items of the enclosing set, except for inline fragments with conditions that the fragment's own type does not
///   decide. An inline fragment with `@alias` is a set of its own, which holds nothing else.
/// - *Normalization* inlines every spread. Selections that arrive later are a set of their own, by their label.
///
/// A reader asks the store whether an object is of an abstract type, and the store learns this from the answer.
/// Normalization therefore keeps a condition on an abstract type if the written type does not imply it. The condition
/// stays even if the type of the set into which it is inlined implies it.
///
/// Runs after `ResolveConditions`; for normalization also after `ApplyFragmentArguments`. The cost is linear in the
/// output.
package struct Flatten {
    package enum Purpose: Sendable, Hashable {
        case reading
        case normalization
    }

    /// The deepest nesting of sets, spreads included; deeper sets are reported and not flattened.
    package static let depthLimit = 200

    let schema: Schema
    let purpose: Purpose
    private let fragment: (String) -> Fragment?
    /// The largest number of items in a plan, spreads included; a larger plan is reported and not made. Fragments that
    /// spread other fragments twice could double the size with each level.
    package static let sizeLimit = 200_000

    /// The place where the depth limit was exceeded.
    package private(set) var tooDeep: Span?
    /// The fields that have different `@required` or `@catch` directives in one set.
    package private(set) var nullabilityConflicts: [Span] = []
    /// The fields that are two different connections in one set.
    package private(set) var handleConflicts: [Span] = []
    /// The inline fragments and spreads whose alias is also that of another selection in the set.
    package private(set) var aliasConflicts: [Span] = []
    /// The fields that request two different changes in one set.
    package private(set) var mutationConflicts: [Span] = []
    private var size = 0
    /// Whether errors are caught or thrown in the definition, so that `@semanticNonNull` counts.
    private var isStrict = false

    /// Whether the size limit was exceeded.
    package var isTooLarge: Bool { size > Self.sizeLimit }

    package init(schema: Schema, purpose: Purpose, fragment: @escaping (String) -> Fragment?) {
        self.schema = schema
        self.purpose = purpose
        self.fragment = fragment
    }

    /// Flattens the selections of a definition. Its directives determine the treatment of errors by a reader.
    package mutating func flatten(
        _ selections: [TypedSelection], on type: SchemaType, directives: [Directive] = []
    ) -> SelectionPlan {
        let source = Source(selections: selections, condition: .always, context: type, place: .root)
        let errors = purpose == .reading ? ErrorTreatment(directives) : ErrorTreatment()
        isStrict = errors.isStrict
        var plan = flatten([source], on: type, under: .always, depth: 0)
        plan.errors = errors
        return plan
    }

    /// Merges sources into a set; `condition` is the condition under which the set itself applies.
    private mutating func flatten(
        _ sources: [Source],
        on type: SchemaType,
        under condition: Condition,
        depth: Int
    ) -> SelectionPlan {
        var collected = Collected()
        for source in sources { collect(source, on: type, into: &collected) }
        nullabilityConflicts += collected.nullabilityConflicts
        handleConflicts += collected.handleConflicts
        if purpose == .reading { aliasConflicts += collected.allAliasConflicts }
        if purpose == .normalization { mutationConflicts += collected.mutationConflicts }
        size += collected.slots.count
        if isTooLarge { return SelectionPlan(type: type) }
        if !condition.isAlways { collected.drop(conditionsImpliedBy: condition) }
        var items: [SelectionPlan.Item] = []
        items.reserveCapacity(collected.slots.count)
        for slot in collected.slots {
            switch slot {
            case .field(let index):
                var group = collected.fields[index]
                // An answer has the field only if the server is asked for it.
                if purpose == .normalization, let asked = group.askedCondition { group.condition = asked }
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
                            alias: group.spread.alias,
                            arguments: group.spread.arguments,
                            typeCondition: group.typeCondition,
                            deferral: group.deferral,
                            isClient: group.isClient && group.typeCondition?.isAbstract == true,
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
        // An object type may narrow the type that its interface gives the field. Another interface may have a wider
        // type. With that type, conditions would be kept that the written type implies.
        let own = parent.field(named: group.field.definition.name)
        let isNarrower = own.map { schema.isSubtype($0.type, of: group.field.definition.type) } ?? false
        let definition = isNarrower ? own ?? group.field.definition : group.field.definition
        let type = schema.namedType(of: definition.type)
        var selections: SelectionPlan?
        let nullability = FieldNullability(purpose == .reading ? group.field.directives : [])
        let wasStrict = isStrict
        defer { isStrict = wasStrict }
        isStrict = isStrict || nullability.catches != nil
        if type.isComposite {
            if depth >= Self.depthLimit {
                tooDeep = tooDeep ?? group.field.span
                selections = SelectionPlan(type: type)
            } else {
                let inner = group.condition.isAlways ? outer : group.condition
                let sources = relative(group.sources.all, to: inner)
                selections = flatten(sources, on: type, under: inner, depth: depth + 1)
            }
        }
        let shown = isStrict ? definition.semanticType(on: parent) : definition.type
        return SelectionPlan.Field(
            responseKey: group.field.responseKey,
            definition: definition,
            type: readType(shown, group, selections),
            nullability: nullability,
            arguments: group.field.arguments,
            condition: group.condition,
            selections: selections,
            handle: group.handle,
            stream: group.stream,
            deferral: group.deferral,
            mutation: purpose == .normalization ? group.mutation?.inside(group.condition) : nil,
            // A reader always has the data ID, which is therefore never missing.
            isClient: group.field.isClient && (purpose == .normalization || !definition.isDataID),
            span: group.field.span
        )
    }

    /// The type of a field for readers.
    private func readType(_ type: TypeReference, _ group: FieldGroup, _ selections: SelectionPlan?) -> TypeReference {
        let type = group.deferral == nil ? type : type.nullable
        guard purpose == .reading, let selections else { return type }
        let inside = selections.canLackRequired ? type.nullableInside : type
        // A field of the server that is left out for lack of selections is in no answer.
        return group.field.isClient && !group.field.definition.isClientOnly ? inside.nullable : inside
    }

    private mutating func finish(
        _ group: InlineGroup,
        inside around: [Source],
        on parent: SchemaType,
        under outer: Condition,
        depth: Int
    ) -> SelectionPlan.Inline {
        var sources = group.sources.all
        let wasStrict = isStrict
        defer { isStrict = wasStrict }
        isStrict = isStrict || group.catches != nil
        if purpose == .reading {
            for index in sources.indices { sources[index].known.append(parent) }
        }
        if purpose == .reading, group.alias == nil {
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
                depth: depth + 1
            )
        }
        let isAlways = !group.hasTypeCondition && group.condition.isAlways && group.catches != .null
        let isUnasked =
            purpose == .reading && group.hasTypeCondition && group.type.isAbstract
            && group.askedCondition.map { !group.condition.implies($0) } ?? true
        return SelectionPlan.Inline(
            type: group.type,
            hasTypeCondition: group.hasTypeCondition,
            alias: group.alias,
            deferral: group.deferral,
            catches: group.catches,
            isRequired: group.alias != nil && isAlways && !selections.canLackRequired,
            isClient: isUnasked,
            condition: group.condition,
            selections: selections,
            span: group.span
        )
    }

    /// The sources, without the conditions that the set's own condition implies.
    private func relative(_ sources: [Source], to condition: Condition) -> [Source] {
        if condition.isAlways { return sources }
        return sources.map { source in
            var source = source
            if condition.implies(source.condition) { source.condition = .always }
            return source
        }
    }

    // MARK: - Collecting

    /// Visits selections in document order with an explicit stack, because fragments can spread one another in long
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
                    place: .field(field.span, in: top.source.fragment),
                    fragment: top.source.fragment,
                    isClient: field.isClient
                )
                collected.add(field, inner, isReading: purpose == .reading)
            case .inlineFragment(let inline):
                guard let condition = top.source.condition.and(inline.condition) else { continue }
                if collectSet(inline, condition, from: top.source, on: type, into: &collected) { continue }
                let target = inline.type ?? top.source.context
                let isSettled = inline.type == nil || schema.isSubtype(top.source.context, of: target)
                let inner = Source(
                    selections: inline.selections,
                    condition: condition,
                    context: isSettled ? top.source.context : target,
                    place: .inlineFragment(inline.span, inline.type?.id, in: top.source.fragment),
                    fragment: top.source.fragment,
                    isClient: top.source.isClient || inline.isClient,
                    around: top.source.around,
                    known: top.source.known
                )
                if inline.type == nil {
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

    /// Adds a spread; returns the selections of the fragment if they belong directly in the set.
    private func collect(
        _ spread: TypedSpread,
        _ condition: Conjunction,
        from source: Source,
        on type: SchemaType,
        into collected: inout Collected
    ) -> Source? {
        guard let definition = fragment(spread.fragment) else { return nil }
        let target = definition.type
        if purpose == .reading {
            guard schema.overlap(type, target) else { return nil }
            let isSettled = self.isSettled(target, in: type, for: source)
            let isClient = source.isClient || spread.isClient
            collected.add(spread, condition, typeCondition: isSettled ? nil : target, isClient: isClient)
            return nil
        }
        let isSettled = schema.isSubtype(source.context, of: target)
        let isClient = source.isClient || spread.isClient
        let inner = Source(
            selections: definition.selections,
            condition: condition,
            context: target,
            place: .fragment(spread.fragment),
            fragment: spread.fragment,
            isClient: isClient
        )
        if !isClient, let deferral = Increment("defer", in: spread.directives) {
            deferred(inner, deferral, on: target, isSettled: isSettled, span: spread.span, in: type, &collected)
            return nil
        }
        let visit = Visit(fragment: spread.fragment, condition: condition, isClient: isClient)
        guard collected.visited.insert(visit).inserted else {
            // The type condition may be implied at the first place of the spread, and not at this one.
            if !isSettled, !isClient {
                discriminate(target, condition, in: type, span: spread.span, &collected)
            }
            return nil
        }
        return place(inner, on: target, isSettled: isSettled, span: spread.span, in: type, &collected) ? inner : nil
    }

    /// Whether every object of the set is of the target type: the type of the set implies it, or the type of an
    /// enclosing set to which the selections belong.
    func isSettled(_ target: SchemaType, in type: SchemaType, for source: Source) -> Bool {
        schema.isSubtype(type, of: target)
            || (source.around + source.known).contains { schema.isSubtype($0, of: target) }
    }

    /// Adds selections under a type condition to its group. Returns true if the selections belong directly in the set
    /// instead.
    ///
    /// `isSettled` is true if the type on which the condition was written implies the condition.
    private func place(
        _ source: Source,
        on target: SchemaType,
        isSettled: Bool,
        span: Span,
        in type: SchemaType,
        _ collected: inout Collected
    ) -> Bool {
        if self.isSettled(target, in: type, for: source) {
            if !isSettled, !source.isClient {
                discriminate(target, source.condition, in: type, span: span, &collected)
            }
            return true
        }
        if source.isInherited { return false }
        // Without selections for the server, the server is not asked which objects are of an abstract type. The object
        // types in the client's schema replace the abstract type.
        if purpose == .normalization, target.isAbstract, source.isClient {
            for object in schema.possibleTypes(of: target) where schema.isPossible(object, for: type) {
                collected.add(group: object, source, condition: source.condition, span: span)
            }
            return false
        }
        if schema.overlap(type, target) {
            collected.add(group: target, source, condition: source.condition, span: span)
        } else {
            discriminate(target, source.condition, in: type, span: span, &collected)
        }
        return false
    }

    /// Adds an empty inline fragment on an abstract type. The answer then shows whether an object is of the type, for
    /// readers that ask the store for this.
    private func discriminate(
        _ target: SchemaType,
        _ condition: Conjunction,
        in type: SchemaType,
        span: Span,
        _ collected: inout Collected
    ) {
        guard target.isAbstract, purpose == .normalization else { return }
        collected.add(group: target, nil, condition: condition, span: span)
    }
}
