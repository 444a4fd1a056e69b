import BatonDiagnostics
import BatonIR
import BatonSchema

extension Flatten {
    /// Selections with the condition under which they are reached.
    struct Source {
        var selections: [TypedSelection]
        var condition: Conjunction
        /// The type in whose context they were written.
        var context: SchemaType
        /// Where they were written.
        var span: Span
        /// Whether they belong to a set around the one at hand.
        var isInherited = false

        /// What makes two sources the same: a set that holds the items of the set around it meets them twice.
        struct Identity: Hashable {
            let span: Span
            let condition: Conjunction
            let isInherited: Bool
        }

        var identity: Identity { Identity(span: span, condition: condition, isInherited: isInherited) }
    }

    /// The sources of one group, each once; there is mostly one, but a document may repeat a field thousands of times.
    struct Sources {
        private(set) var all: [Source]
        /// Filled with the second source.
        private var identities: Set<Source.Identity> = []

        init(_ first: Source?) {
            all = first.map { [$0] } ?? []
        }

        mutating func add(_ source: Source) {
            if all.isEmpty {
                all = [source]
                return
            }
            if identities.isEmpty { identities = Set(all.map(\.identity)) }
            if identities.insert(source.identity).inserted { all.append(source) }
        }
    }

    struct FieldGroup {
        var field: TypedField
        var condition: Condition
        var sources: Sources
    }

    struct InlineGroup {
        let type: SchemaType
        var condition: Condition
        var sources: Sources
        let span: Span
    }

    struct SpreadGroup {
        let spread: TypedSpread
        let typeCondition: SchemaType?
        var condition: Condition
    }

    struct Visit: Hashable {
        let fragment: String
        let condition: Conjunction
    }

    enum Slot {
        case field(Int)
        case inline(Int)
        case spread(Int)
    }

    /// What was found so far for one set, in order of first appearance.
    struct Collected {
        /// A response key, type or fragment, with its condition where conditions keep selections apart.
        struct Key: Hashable {
            let name: String
            let condition: Conjunction?
        }

        var slots: [Slot] = []
        var fields: [FieldGroup] = []
        var inlines: [InlineGroup] = []
        var spreads: [SpreadGroup] = []
        var visited: Set<Visit> = []
        private var fieldIndex: [Key: Int] = [:]
        private var inlineIndex: [Key: Int] = [:]
        private var spreadIndex: [Key: Int] = [:]

        /// Together the alternatives of an item may be all that the set around it asks.
        mutating func drop(conditionsImpliedBy outer: Condition) {
            for index in fields.indices where outer.implies(fields[index].condition) {
                fields[index].condition = .always
            }
            for index in inlines.indices where outer.implies(inlines[index].condition) {
                inlines[index].condition = .always
            }
            for index in spreads.indices where outer.implies(spreads[index].condition) {
                spreads[index].condition = .always
            }
        }

        mutating func add(_ field: TypedField, _ source: Source, keepingApart: Bool) {
            let key = Key(name: field.responseKey, condition: keepingApart ? source.condition : nil)
            let group = FieldGroup(field: field, condition: Condition(source.condition), sources: Sources(source))
            guard let index = fieldIndex[key] else {
                fieldIndex[key] = fields.count
                slots.append(.field(fields.count))
                fields.append(group)
                return
            }
            if field.definition.name != fields[index].field.definition.name {
                if fields[index].field.isGenerated { fields[index] = group }
                return
            }
            fields[index].condition.or(source.condition)
            if !field.selections.isEmpty { fields[index].sources.add(source) }
        }

        mutating func add(
            group type: SchemaType,
            _ source: Source?,
            condition: Conjunction,
            span: Span,
            keepingApart: Bool
        ) {
            let key = Key(name: type.name, condition: keepingApart ? condition : nil)
            guard let index = inlineIndex[key] else {
                inlineIndex[key] = inlines.count
                slots.append(.inline(inlines.count))
                inlines.append(
                    InlineGroup(type: type, condition: Condition(condition), sources: Sources(source), span: span)
                )
                return
            }
            inlines[index].condition.or(condition)
            if let source { inlines[index].sources.add(source) }
        }

        mutating func add(
            _ spread: TypedSpread,
            _ condition: Conjunction,
            typeCondition: SchemaType?,
            keepingApart: Bool
        ) {
            let key = Key(name: spread.fragment, condition: keepingApart ? condition : nil)
            guard let index = spreadIndex[key] else {
                spreadIndex[key] = spreads.count
                slots.append(.spread(spreads.count))
                spreads.append(
                    SpreadGroup(spread: spread, typeCondition: typeCondition, condition: Condition(condition))
                )
                return
            }
            spreads[index].condition.or(condition)
        }
    }
}
