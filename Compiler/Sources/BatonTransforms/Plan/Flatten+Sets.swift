import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

// Selections that become a set of their own, even if their type is that of the enclosing set.

extension Flatten {
    /// Adds an inline fragment as a set of its own, and returns true. In a reader plan these are inline fragments with
    /// `@alias`, and in a normalization plan those that arrive later. Returns false for any other inline fragment.
    func collectSet(
        _ inline: TypedInlineFragment, _ condition: Conjunction, from source: Source, on type: SchemaType,
        into collected: inout Collected
    ) -> Bool {
        let target = inline.type ?? source.context
        let isSettled = inline.type == nil || schema.isSubtype(source.context, of: target)
        var inner = Source(
            selections: inline.selections, condition: condition, context: isSettled ? source.context : target,
            place: .inlineFragment(inline.span, inline.type?.id, in: source.fragment), fragment: source.fragment,
            isClient: source.isClient || inline.isClient, known: source.around + source.known)
        if purpose == .normalization {
            guard !inner.isClient, let deferral = Increment("defer", in: inline.directives) else { return false }
            deferred(inner, deferral, on: target, isSettled: isSettled, span: inline.span, in: type, &collected)
            return true
        }
        guard let alias = inline.alias else { return false }
        let isAlways = inline.type == nil || self.isSettled(target, in: type, for: source)
        // A set that includes the items of its enclosing set has this fragment only if its own type implies the
        // condition.
        guard isAlways || !source.isInherited && schema.overlap(type, target) else { return true }
        if isAlways, schema.isSubtype(type, of: inner.context) { inner.context = type }
        let group = InlineGroup(
            type: isAlways ? type : target, hasTypeCondition: !isAlways, alias: alias,
            catches: FieldNullability(inline.directives).catches, condition: Condition(condition),
            sources: Sources(inner), span: inline.span)
        collected.add(group, .alias(alias), inner, condition)
        return true
    }

    /// Adds selections that arrive later. A condition on an abstract type stays unless the written type implies it,
    /// because the arrival of the part shows that the object is of the type.
    func deferred(
        _ source: Source, _ deferral: Increment, on target: SchemaType, isSettled: Bool, span: Span,
        in type: SchemaType, _ collected: inout Collected
    ) {
        let isDecided = isSettled || !target.isAbstract && schema.isSubtype(type, of: target)
        guard isDecided || target.isAbstract || schema.overlap(type, target) else { return }
        let own = isDecided ? type : target
        let group = InlineGroup(
            type: own, hasTypeCondition: !isDecided, deferral: deferral, condition: Condition(source.condition),
            sources: Sources(source), span: span)
        collected.add(group, .label(deferral.label, own.id), source, source.condition)
    }
}

extension Flatten.Collected {
    /// The inline fragments and spreads whose alias is also that of another selection in the set.
    var allAliasConflicts: [Span] {
        guard inlines.contains(where: { $0.alias != nil }) || spreads.contains(where: { $0.spread.givenAlias != nil })
        else { return [] }
        var conflicts = aliasConflicts
        var names = Set(fields.map(\.field.responseKey))
        for group in inlines {
            if let alias = group.alias, !names.insert(alias).inserted { conflicts.append(group.span) }
        }
        for group in spreads {
            guard let alias = group.spread.givenAlias else { continue }
            if !names.insert(alias).inserted { conflicts.append(group.spread.span) }
        }
        return conflicts
    }
}
