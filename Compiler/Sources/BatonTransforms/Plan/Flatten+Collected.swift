import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

extension Flatten {
    /// Selections, with the condition under which they apply.
    struct Source {
        var selections: [TypedSelection]
        var condition: Conjunction
        /// The type that the selections were written on.
        var context: SchemaType
        let place: Place
        /// The copy of a fragment in which the selections were written; empty in an operation.
        var fragment = ""
        /// Whether the selections are for the client alone.
        var isClient = false
        /// The types of the enclosing sets to which the selections belong; empty if they belong to the current set.
        var around: [SchemaType] = []
        /// The types of enclosing sets that every object of the selections has. Only readers use these types, because
        /// no condition in the text tells them again.
        var known: [SchemaType] = []

        /// Whether the selections belong to an enclosing set.
        var isInherited: Bool { !around.isEmpty }

        var identity: Identity { Identity(place: place, condition: condition, isClient: isClient) }
    }

    /// The place where selections were written. Sources with the same place and the same condition are the same. A set
    /// that includes the items of its enclosing set visits these sources twice.
    enum Place: Hashable {
        /// The root set of the flattened selections.
        case root
        /// Below a field, by the place of its response key. Copies of one fragment have the same spans.
        case field(Span, in: String)
        /// In an inline fragment. Inline fragments that the compiler adds have no span and differ by their type.
        case inlineFragment(Span, TypeID?, in: String)
        /// In a fragment definition, by its name; all its spreads are the same place.
        case fragment(String)
    }

    struct Identity: Hashable {
        let place: Place
        let condition: Conjunction
        let isClient: Bool
    }

    /// The distinct sources of one group. Most groups have one source, but a document may repeat a field thousands of
    /// times.
    struct Sources {
        private(set) var all: [Source]
        /// The identities of the sources; empty while there is only one source.
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
        /// The condition under which the server is asked for the field; nil if it never is.
        var askedCondition: Condition?
        var sources: Sources
        var handle: FieldHandle?
        var stream: Increment?
        /// The part of the answer in which the field arrives; nil if one of the selections asks for the field at once.
        var deferral: Increment?
        /// The change of the store when an answer has the field, with the condition under which the document requests
        /// the change.
        var mutation: FieldMutation?

        init(_ field: TypedField, _ source: Source, isReading: Bool) {
            let condition = Condition(source.condition)
            self.field = field
            self.condition = condition
            askedCondition = field.isClient ? nil : condition
            sources = Sources(source)
            handle = FieldHandle(of: field)
            stream = isReading ? nil : Increment("stream", in: field.directives)
            deferral = isReading ? Increment("defer", in: field.directives) : nil
            mutation = FieldMutation(of: field, under: source.condition)
        }
    }

    /// The property by which selections become a set of their own.
    enum GroupKey: Hashable {
        case type(TypeID)
        case alias(String)
        case label(String, TypeID)
    }

    struct InlineGroup {
        let type: SchemaType
        var hasTypeCondition = true
        var alias: String?
        var deferral: Increment?
        var catches: CatchTarget?
        var condition: Condition
        /// The condition under which a server is certainly asked which objects are of the type; nil if there is none.
        var askedCondition: Condition?
        var sources: Sources
        let span: Span
    }

    struct SpreadGroup {
        let spread: TypedSpread
        var typeCondition: SchemaType?
        /// The part of the answer in which the fragment arrives; nil if one of the spreads asks for it at once.
        var deferral: Increment?
        /// Whether it is possible that the server is not asked which objects are of the fragment's type.
        var isClient: Bool
        var condition: Condition
    }

    /// The identity of spreads that become one item: the same fragment, arguments and alias.
    struct SpreadKey: Hashable {
        let fragment: String
        let alias: String?
        let arguments: [Argument]
    }

    struct Visit: Hashable {
        let fragment: String
        let condition: Conjunction
        let isClient: Bool
    }

    enum Slot {
        case field(Int)
        case inline(Int)
        case spread(Int)
    }

    /// The contents of one set so far, in the order of their first occurrence.
    struct Collected {
        var slots: [Slot] = []
        var fields: [FieldGroup] = []
        var inlines: [InlineGroup] = []
        var spreads: [SpreadGroup] = []
        var visited: Set<Visit> = []
        var nullabilityConflicts: [Span] = []
        var handleConflicts: [Span] = []
        /// The sets whose alias is also that of another set of the object.
        var aliasConflicts: [Span] = []
        var mutationConflicts: [Span] = []
        /// The places of the fields by their response keys, once there are more fields than are scanned.
        private var fieldIndex: [String: Int] = [:]
        /// The number of fields up to which comparing all keys is faster than a table of them.
        private static let scannedFields = 8
        private var inlineIndex: [GroupKey: Int] = [:]
        private var spreadIndex: [SpreadKey: Int] = [:]

        /// Removes conditions that the condition of the enclosing set implies. The alternatives of an item may together
        /// be equal to the whole condition of the set.
        mutating func drop(conditionsImpliedBy outer: Condition) {
            for index in fields.indices where outer.implies(fields[index].condition) {
                fields[index].condition = .always
            }
            for index in fields.indices where fields[index].mutation.map({ outer.implies($0.condition) }) == true {
                fields[index].mutation?.condition = .always
            }
            for index in fields.indices where fields[index].askedCondition.map(outer.implies) == true {
                fields[index].askedCondition = .always
            }
            for index in inlines.indices where outer.implies(inlines[index].condition) {
                inlines[index].condition = .always
            }
            for index in inlines.indices where inlines[index].askedCondition.map(outer.implies) == true {
                inlines[index].askedCondition = .always
            }
            for index in spreads.indices where outer.implies(spreads[index].condition) {
                spreads[index].condition = .always
            }
        }

        mutating func add(_ field: TypedField, _ source: Source, isReading: Bool) {
            let key = field.responseKey
            guard let index = index(ofField: key) else {
                slots.append(.field(fields.count))
                fields.append(FieldGroup(field, source, isReading: isReading))
                noteLastField()
                return
            }
            if field.definition.name != fields[index].field.definition.name {
                if fields[index].field.isGenerated { fields[index] = FieldGroup(field, source, isReading: isReading) }
                return
            }
            if isReading, FieldNullability(field.directives) != FieldNullability(fields[index].field.directives) {
                nullabilityConflicts.append(field.span)
            }
            fields[index].condition.or(source.condition)
            if !field.isClient {
                fields[index].field.isClient = false
                if fields[index].askedCondition?.or(source.condition) == nil {
                    fields[index].askedCondition = Condition(source.condition)
                }
            }
            if !isReading, fields[index].stream == nil {
                fields[index].stream = Increment("stream", in: field.directives)
            }
            if fields[index].deferral != nil, Increment("defer", in: field.directives) == nil {
                fields[index].deferral = nil
            }
            if let handle = FieldHandle(of: field) {
                if let known = fields[index].handle, known != handle { handleConflicts.append(field.span) }
                fields[index].handle = fields[index].handle ?? handle
            }
            if let mutation = FieldMutation(of: field, under: source.condition) {
                let known = fields[index].mutation ?? mutation
                if !known.isSameChange(as: mutation) { mutationConflicts.append(field.span) }
                fields[index].mutation = known
                fields[index].mutation?.condition.or(source.condition)
            }
            if !field.selections.isEmpty { fields[index].sources.add(source) }
        }

        private func index(ofField key: String) -> Int? {
            fields.count <= Self.scannedFields
                ? fields.firstIndex { $0.field.responseKey == key } : fieldIndex[key]
        }

        private mutating func noteLastField() {
            guard fields.count > Self.scannedFields else { return }
            for index in (fieldIndex.isEmpty ? 0 : fields.count - 1)..<fields.count {
                fieldIndex[fields[index].field.responseKey] = index
            }
        }

        /// Adds selections to the set of a key. A new set begins as `group`. A `source` of nil adds nothing to the set,
        /// which may stay empty.
        mutating func add(_ group: InlineGroup, _ key: GroupKey, _ source: Source?, _ condition: Conjunction) {
            guard let index = inlineIndex[key] else {
                inlineIndex[key] = inlines.count
                slots.append(.inline(inlines.count))
                inlines.append(group)
                if source?.isClient != true { inlines[inlines.count - 1].askedCondition = group.condition }
                return
            }
            if group.alias != nil, inlines[index].span != group.span { aliasConflicts.append(group.span) }
            inlines[index].condition.or(condition)
            if source?.isClient != true, inlines[index].askedCondition?.or(condition) == nil {
                inlines[index].askedCondition = Condition(condition)
            }
            if let source { inlines[index].sources.add(source) }
        }

        /// Adds selections for the objects of a type.
        mutating func add(group type: SchemaType, _ source: Source?, condition: Conjunction, span: Span) {
            let group = InlineGroup(
                type: type, condition: Condition(condition), sources: Sources(source), span: span)
            add(group, .type(type.id), source, condition)
        }

        mutating func add(
            _ spread: TypedSpread,
            _ condition: Conjunction,
            typeCondition: SchemaType?,
            isClient: Bool
        ) {
            let deferral = Increment("defer", in: spread.directives)
            let key = SpreadKey(fragment: spread.fragment, alias: spread.alias, arguments: spread.arguments)
            guard let index = spreadIndex[key] else {
                spreadIndex[key] = spreads.count
                slots.append(.spread(spreads.count))
                spreads.append(
                    SpreadGroup(
                        spread: spread, typeCondition: typeCondition, deferral: deferral, isClient: isClient,
                        condition: Condition(condition))
                )
                return
            }
            spreads[index].condition.or(condition)
            if deferral == nil { spreads[index].deferral = nil }
            if !isClient { spreads[index].isClient = false }
            // A spread without a type condition applies to every object of the set.
            if typeCondition == nil { spreads[index].typeCondition = nil }
        }
    }
}
