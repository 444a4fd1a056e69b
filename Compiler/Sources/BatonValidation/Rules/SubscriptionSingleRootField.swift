import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let subscriptionSingleRootField = ValidationRule(
        .operations, "SubscriptionSingleRootField",
        .followed { $0.checkSubscriptionRoots() })
}

/// The root selections of a definition in subscriptions, without the fragments that it spreads.
private struct RootSelections {
    /// The first field of each response key in the order of the source; at most as many fields as a message names.
    var fields: [Field] = []
    var metaFields: [Field] = []
    /// Directives that may remove a selection.
    var conditions: [Directive] = []
    var spreads: [Int] = []
}

extension Traversal {
    /// Checks that a subscription selects one root field, also through fragments. The field must not be a meta field,
    /// and no condition may remove it. A mistake in a fragment is reported once, even if several subscriptions use the
    /// fragment.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Single-Root-Field
    func checkSubscriptionRoots() {
        // Another rule reports that the schema has no subscriptions.
        guard let root = schema.subscriptionType else { return }
        var ofFragments = [RootSelections?](repeating: nil, count: definitions.fragments.count)
        var lastVisit = [Int](repeating: -1, count: definitions.fragments.count)
        var reported: Set<Span> = []
        for (number, operation) in definitions.operations.enumerated() where operation.definition.kind == .subscription
        {
            if operation.definition.isBroken { continue }
            let definition = operation.definition
            var found = rootSelections(of: definition.selectionSet, document: operation.document, on: root)
            while let index = found.spreads.popLast() {
                if lastVisit[index] == number { continue }
                lastVisit[index] = number
                let below: RootSelections
                if let known = ofFragments[index] {
                    below = known
                } else {
                    let fragment = definitions.fragments[index]
                    let set = fragment.definition.selectionSet
                    below = rootSelections(of: set, document: fragment.document, on: root)
                    ofFragments[index] = below
                }
                let steps = below.fields.count + below.metaFields.count + below.conditions.count + below.spreads.count
                guard mayFollow(definition, steps: 1 + steps) else { return }
                found.fields += below.fields
                found.metaFields += below.metaFields
                found.conditions += below.conditions
                found.spreads += below.spreads
            }
            judge(found, &reported)
        }
    }

    private func judge(_ found: RootSelections, _ reported: inout Set<Span>) {
        for directive in found.conditions where reported.insert(directive.name.span).inserted {
            report(
                .subscriptionRoot,
                "directive '@\(directive.name.text)' cannot stand at the root of a subscription",
                at: directive.name.span
            )
        }
        // With conditions, the number of selected fields is unknown.
        if !found.conditions.isEmpty { return }

        for field in found.metaFields where reported.insert(field.name.span).inserted {
            report(
                .subscriptionRoot,
                "a subscription cannot select '\(field.name.text)' at its root",
                at: field.name.span
            )
        }
        let fields = Self.firstOfEachKey(found.fields)
        guard let first = fields.first, let second = fields.dropFirst().first,
            reported.insert(second.responseKey.span).inserted
        else { return }
        report(
            .subscriptionRoot,
            "a subscription selects one field at its root, '\(second.responseKey.text)' is one too many",
            at: second.responseKey.span,
            notes: [.init("the first is here", at: first.responseKey.span)]
                + fields.dropFirst(2).map {
                    .init("'\($0.responseKey.text)' here is too many, too", at: $0.responseKey.span)
                }
        )
    }

    /// The number of fields that a message names.
    private static let namedFields = 7

    private static func firstOfEachKey(_ fields: [Field]) -> [Field] {
        var keys: Set<String> = []
        let first = fields.sorted { $0.span < $1.span }.filter { keys.insert($0.responseKey.text).inserted }
        return Array(first.prefix(namedFields))
    }

    /// The root selections of a selection set and its inline fragments.
    private func rootSelections(of set: SelectionSet, document: Int, on root: SchemaType) -> RootSelections {
        var found = RootSelections()
        var pending = [set]
        while let selectionSet = pending.popLast() {
            for selection in selectionSet.selections {
                found.conditions += selection.directives.filter {
                    $0.name.text == "skip" || $0.name.text == "include"
                }.prefix(1)
                switch selection {
                case .field(let field):
                    // An unknown field may mean any field.
                    if schema.field(named: field.name.text, on: root) == nil { continue }
                    if field.name.text.hasPrefix("__") {
                        found.metaFields.append(field)
                    } else {
                        found.fields.append(field)
                    }
                case .inlineFragment(let fragment):
                    let type = fragment.typeCondition.flatMap { schema.type(named: $0.text) }
                    if type.map({ schema.overlap($0, root) }) ?? true { pending.append(fragment.selectionSet) }
                case .fragmentSpread(let spread):
                    guard let index = definitions.fragment(named: spread.name.text, spreadIn: document),
                        definitions.fragments[index].type.map({ schema.overlap($0, root) }) ?? true
                    else { continue }
                    found.spreads.append(index)
                }
            }
        }
        found.fields = Self.firstOfEachKey(found.fields)
        return found
    }
}
