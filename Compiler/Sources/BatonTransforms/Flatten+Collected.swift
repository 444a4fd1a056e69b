import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

extension Flatten {
    /// Selections with the condition under which they are reached.
    struct Source {
        var selections: [TypedSelection]
        var condition: Conjunction
        /// The type in whose context they were written.
        var context: SchemaType
        let place: Place
        /// The types of the sets around the one at hand, if the selections belong to one of them.
        var around: [SchemaType] = []

        /// Whether they belong to a set around the one at hand.
        var isInherited: Bool { !around.isEmpty }

        var identity: Identity { Identity(place: place, condition: condition) }
    }

    /// Where selections were written. Two sources are the same if both place and condition are: a set that holds the
    /// items of the set around it meets them twice.
    enum Place: Hashable {
        /// The set with which flattening began.
        case root
        /// Below a field, by the place of its response key.
        case field(Span)
        /// In an inline fragment; those that the compiler adds are all at no span and differ by their type.
        case inlineFragment(Span, TypeID?)
        /// In a fragment definition, by its name, wherever it is spread.
        case fragment(String)
        /// A spread that stays, with the directives that are sent.
        case spread(String, [Directive])
    }

    struct Identity: Hashable {
        let place: Place
        let condition: Conjunction
    }

    /// The sources of one group, each once; there is mostly one, but a document may repeat a field thousands of times.
    struct Sources {
        private(set) var all: [Source]
        /// Filled with the second source.
        private var identities: Set<Identity> = []

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
        let directives: [Directive]
    }

    struct SpreadGroup {
        let spread: TypedSpread
        var typeCondition: SchemaType?
        var condition: Condition
    }

    struct Visit: Hashable {
        let fragment: String
        let directives: [Directive]
        let condition: Conjunction
    }

    enum Slot {
        case field(Int)
        case inline(Int)
        case spread(Int)
    }

    /// What was found so far for one set, in order of first appearance.
    struct Collected {
        /// A response key, type or fragment, with its condition and directives where those keep selections apart.
        struct Key: Hashable {
            let name: String
            let condition: Conjunction?
            let directives: [Directive]

            init(_ name: String, _ condition: Conjunction, _ directives: [Directive], keepingApart: Bool) {
                self.name = name
                self.condition = keepingApart ? condition : nil
                self.directives = keepingApart ? directives : []
            }
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
            let key = Key(field.responseKey, source.condition, field.directives, keepingApart: keepingApart)
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
            directives: [Directive] = [],
            keepingApart: Bool
        ) {
            let key = Key(type.name, condition, directives, keepingApart: keepingApart)
            guard let index = inlineIndex[key] else {
                inlineIndex[key] = inlines.count
                slots.append(.inline(inlines.count))
                inlines.append(
                    InlineGroup(
                        type: type, condition: Condition(condition), sources: Sources(source), span: span,
                        directives: directives)
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
            let key = Key(spread.fragment, condition, spread.directives, keepingApart: keepingApart)
            guard let index = spreadIndex[key] else {
                spreadIndex[key] = spreads.count
                slots.append(.spread(spreads.count))
                spreads.append(
                    SpreadGroup(spread: spread, typeCondition: typeCondition, condition: Condition(condition))
                )
                return
            }
            spreads[index].condition.or(condition)
            // What one place settles holds for every object of the set.
            if typeCondition == nil { spreads[index].typeCondition = nil }
        }
    }
}
