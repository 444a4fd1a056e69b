import BatonCodegen
import BatonCompiler
import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax
import BatonTransforms
import BatonValidation
import RandomCases

/// Compares the compiler's output for documents with a naive interpretation of the documents.
///
/// It checks for each operation, each choice of the variables in conditions, and each object type at each place:
///
/// - The text and the normalization plan select everything that the document selects. In addition they select only
///   `id`, and the text also `__typename` and the keys `__isX`.
/// - The text asks for `__isX` exactly for the abstract types in the plan's questions that the object has.
/// - Readers read only data that the text asks for. They ask only about abstract types that the answer decides.
/// - The readers of a definition select exactly the definition's own selections, including its spreads. `<T>` also has
///   the items of the enclosing set.
///
/// Each text must be valid. Schemas are small, so that all places are visited, unless there are too many.
package struct PlanComparison {
    package struct Mismatch: Error, CustomStringConvertible {
        package let description: String
    }

    package enum Outcome {
        case passed(operations: Int)
        /// The schema or the documents are invalid.
        case invalid
        case failed(String)
    }

    private let schema: Schema
    private let fragments: [String: FragmentDefinition]
    private var readers: [String: PlanSet] = [:]
    private var visits = 0
    /// All choices of the variables that occur in conditions.
    private let assignments: [[String: Bool]]

    /// Beyond this number of places, only one object type is visited below each further field.
    private static let visitLimit = 1_500

    /// Compiles documents and compares the output; the seed chooses age limits.
    static func run(_ schema: Schema, _ text: String, seed: UInt64) -> Outcome {
        var compiler = Compiler(workers: .one)
        let source = compiler.addSource(path: "documents.graphql", text: text)
        let (documents, found) = compiler.parse([source])
        let compilation = compiler.compilation(schema: schema, documents: documents)
        guard !found.hasErrors, !compilation.validate().hasErrors else { return .invalid }
        do {
            return .passed(operations: try compare(compilation, documents.map(\.document), ages(seed, schema)))
        } catch is Refused {
            return .invalid
        } catch {
            return .failed("\(error)")
        }
    }

    /// Random age limits, which add selections to plans.
    private static func ages(_ seed: UInt64, _ schema: Schema) -> AgeLimits {
        var random = SeededGenerator(seed: seed)
        var limits = AgeLimits()
        guard random.chance(30) else { return limits }
        for type in schema.types where type.isComposite && !type.name.hasPrefix("__") && random.chance(30) {
            if random.chance(50) { limits.types[type.name] = 1 + random.below(9) }
            for field in type.fields where field.name != "id" && random.chance(20) {
                limits.fields[type.name, default: [:]][field.name] = 1 + random.below(9)
            }
        }
        return limits
    }

    /// An operation selects nothing, because no condition in it is ever true.
    private struct Refused: Error {}

    private static func compare(
        _ compilation: Compilation, _ documents: [Document], _ ages: AgeLimits
    ) throws -> Int {
        let schema = compilation.schema
        var pipeline = Pipeline(compilation.program(), ageLimits: ages)
        var plans = PlanPrinter(schema: schema, mappedScalars: [])
        var texts = OperationTextPrinter(schema: schema)
        let fragments = documents.flatMap(\.fragments)
        var comparison = PlanComparison(schema: schema, documents: documents)
        for fragment in pipeline.fragments() {
            comparison.readers[fragment.fragment.name] = try PlanTextReader.read(plans.print(fragment.reader))
        }
        let operations = pipeline.operations()
        if pipeline.diagnostics.contains(where: { $0.id.rawValue == "empty-operation" }) { throw Refused() }
        guard pipeline.diagnostics.isEmpty else { throw Mismatch(description: "\(pipeline.diagnostics)") }
        for fragment in fragments {
            guard let type = schema.type(named: fragment.typeCondition.text),
                let reader = comparison.readers[fragment.name.text]
            else { throw Mismatch(description: "'\(fragment.name.text)' was not compiled") }
            for values in comparison.assignments {
                comparison.visits = 0
                for object in schema.possibleTypes(of: type) {
                    try comparison.compareReader([fragment.selectionSet], [reader], object, values, fragment.name.text)
                }
            }
        }
        let written = documents.flatMap(\.operations)
        for (operation, compiled) in zip(written, operations) {
            // An operation of the client alone sends nothing. Its plans are compared nevertheless.
            let text = compiled.text.isEmpty ? "query Nothing { __typename }" : texts.print(compiled.text)
            let reader = try PlanTextReader.read(plans.print(compiled.reader, variables: compiled.operation.variables))
            let normalization = try PlanTextReader.read(
                plans.print(compiled.normalization, variables: compiled.operation.variables))
            let sent = try comparison.parse(text)
            guard let root = schema.rootType(for: operation.kind), let sentOperation = sent.operations.first else {
                throw Mismatch(description: "nothing is sent: \(text)")
            }
            let place = Place(
                sources: [operation.selectionSet],
                text: [sentOperation.selectionSet],
                normalization: [normalization],
                readers: [reader]
            )
            let sentFragments = Dictionary(
                sent.fragments.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
            for values in comparison.assignments {
                comparison.visits = 0
                try comparison.compare(place, root, sentFragments, values, compiled.operation.name)
                try comparison.compareReader(
                    [operation.selectionSet], [reader], root, values, compiled.operation.name)
            }
        }
        return operations.count
    }

    private init(schema: Schema, documents: [Document]) {
        self.schema = schema
        fragments = Dictionary(
            documents.flatMap(\.fragments).map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
        let text = documents.map { Printer.print($0) }.joined()
        let variables = ["a", "b", "c"].filter { text.contains("(if: $\($0))") }
        assignments = variables.reduce([[:]]) { choices, variable in
            choices.flatMap { choice in [false, true].map { choice.merging([variable: $0]) { _, new in new } } }
        }
    }

    /// Parses a text as a server would.
    private func parse(_ text: String) throws -> Document {
        var sources = SourceSet()
        let source = sources.add(path: "text", text: text)
        let (document, found) = Parser.parseDocument(source)
        var diagnostics = found
        if !found.hasErrors { diagnostics += Validator.validate([document], schema.server ?? schema, workers: .one) }
        let errors = diagnostics.filter { $0.severity == .error || $0.id.rawValue.hasPrefix("unused") }
        guard errors.isEmpty else {
            throw Mismatch(description: "the text is not valid: \(errors.map(\.message)): \(text)")
        }
        return document
    }

    // MARK: - Operations

    /// The selections and plans at one object.
    private struct Place {
        var sources: [SelectionSet]
        var text: [SelectionSet]
        var normalization: [PlanSet]
        var readers: [PlanSet]
    }

    private mutating func compare(
        _ place: Place,
        _ object: SchemaType,
        _ sentFragments: [String: FragmentDefinition],
        _ values: [String: Bool],
        _ path: String
    ) throws {
        visits += 1
        let source = NaiveSelections(
            place.sources, on: object, schema: schema, fragments: fragments, values: values)
        let text = NaiveSelections(
            place.text, on: object, schema: schema, fragments: sentFragments, values: values)
        let plan = PlanSelections(place.normalization, on: object, schema: schema, values: values)
        let label = "\(path) on \(object.name) with \(Self.describe(values))"
        func fail(_ message: String) -> Mismatch { Mismatch(description: "\(label): \(message)") }
        if let mistake = plan.mistakes.first { throw fail(mistake) }
        for (key, field) in source.fields
        where key != "__typename" && field.isReachable {
            // The plan has the fields that the server is asked for. Below other fields of the server, the plan has only
            // selections that belong to the client everywhere.
            if !field.isAsked, !isClientOnly(field.name, object) { continue }
            guard let planned = plan.fields[key]?.field, planned.name == field.name,
                planned.arguments == field.arguments
            else { throw fail("the normalization plan lacks '\(key)'") }
            if !field.isAsked { continue }
            guard let sent = text.fields[key], sent.name == field.name, sent.arguments == field.arguments else {
                throw fail("the text lacks '\(key)'")
            }
        }
        for (key, field) in text.fields where key != "__typename" {
            if key.hasPrefix("__is"), field.name == "__typename" { continue }
            guard let planned = plan.fields[key]?.field, planned.name == field.name,
                planned.arguments == field.arguments
            else { throw fail("the text has '\(key)', which the normalization plan lacks") }
        }
        for (key, selected) in plan.fields {
            let field = selected.field
            guard (text.fields[key] == nil) == field.isClient else {
                throw fail("the text has '\(key)' or lacks it, and the plan says the opposite")
            }
            if source.fields[key] == nil, key != "id" || field.name != "id" || !field.arguments.isEmpty {
                throw fail("nobody asked for '\(key)'")
            }
            if !fits(field, on: object) { throw fail("the type of '\(key)' does not fit") }
        }
        for type in plan.asked {
            let isPossible = schema.type(named: type).map { schema.isPossible(object, for: $0) } ?? false
            guard (text.fields["__is\(type)"] != nil) == isPossible else {
                throw fail("'__is\(type)' says the opposite of what is so")
            }
        }
        let read = try readAll(place.readers, object, values, fail)
        for (key, field) in read where source.fields[key]?.isAsked != false {
            guard let planned = plan.fields[key]?.field, planned.name == field.field.name,
                planned.arguments == field.field.arguments
            else { throw fail("a reader expects '\(key)', which nothing brings") }
        }
        // Below a condition the server is asked for nothing if there are only fields of the client.
        let asked = schema.server == nil ? askedByReaders(place.readers, object, values) : []
        for type in asked where !plan.asked.contains(type) {
            throw fail("a reader asks whether this is a '\(type)', and the answer does not say")
        }
        for (key, selected) in plan.fields.sorted(by: { $0.key < $1.key })
        where !selected.sets.isEmpty && !selected.field.isClient {
            guard let field = schema.field(named: selected.field.name, on: object) else { continue }
            let below = Place(
                sources: source.fields[key]?.sets ?? [],
                text: text.fields[key]?.sets ?? [],
                normalization: selected.sets,
                readers: read[key]?.sets ?? []
            )
            for type in objects(of: field) {
                try compare(below, type, sentFragments, values, path + "." + key)
            }
        }
    }

    /// The possible object types of a field, or only one of them if there are too many places.
    private func objects(of field: SchemaField) -> [SchemaType] {
        let all = schema.possibleTypes(of: schema.namedType(of: field.type))
        return visits < Self.visitLimit || all.isEmpty ? all : [all[visits % all.count]]
    }

    /// Reads with all readers of an object: the given readers, and those of the fragments that they spread.
    private func readAll(
        _ readers: [PlanSet], _ object: SchemaType, _ values: [String: Bool], _ fail: (String) -> Mismatch
    ) throws -> [String: PlanSelections.Selected] {
        var all: [String: PlanSelections.Selected] = [:]
        for read in selections(of: readers, object, values) {
            if let mistake = read.mistakes.first { throw fail("a reader: \(mistake)") }
            for (key, field) in read.fields {
                if !fits(field.field, on: object) { throw fail("a reader: the type of '\(key)' does not fit") }
                all[key, default: .init(field: field.field)].sets += field.sets
            }
        }
        return all
    }

    private func askedByReaders(_ readers: [PlanSet], _ object: SchemaType, _ values: [String: Bool]) -> Set<String> {
        selections(of: readers, object, values).reduce(into: []) { $0.formUnion($1.asked) }
    }

    private func selections(
        of readers: [PlanSet], _ object: SchemaType, _ values: [String: Bool]
    ) -> [PlanSelections] {
        var result = [PlanSelections(readers, on: object, schema: schema, values: values)]
        var seen: Set<String> = []
        var next = 0
        while next < result.count {
            for name in result[next].spreads.sorted() where seen.insert(name).inserted {
                guard let reader = self.readers[name] else { continue }
                result.append(PlanSelections([reader], on: object, schema: schema, values: values))
            }
            next += 1
        }
        return result
    }

    /// Whether each value of the field on the object is a value of the type in the plan.
    private func fits(_ field: PlanSet.Field, on object: SchemaType) -> Bool {
        guard let definition = schema.field(named: field.name, on: object) else { return false }
        var planned = Substring(field.type.wrappers)
        var shape = definition.type
        while true {
            let isRequired = planned.first == "!"
            if isRequired { planned.removeFirst() }
            if isRequired && !shape.isNonNull { return false }
            guard let item = shape.item else { break }
            guard planned.first == "[" else { return false }
            planned.removeFirst()
            shape = item
        }
        guard planned.isEmpty, let named = schema.type(named: field.type.named) else { return false }
        let actual = schema.namedType(of: definition.type)
        guard named.isComposite else { return named === actual }
        return schema.possibleTypes(of: actual).allSatisfy { schema.isPossible($0, for: named) }
    }

    private func isClientOnly(_ name: String, _ object: SchemaType) -> Bool {
        schema.field(named: name, on: object)?.isClientOnly ?? false
    }

    // MARK: - Readers

    /// Compares the reader of a definition with the definition itself, without following spreads.
    private mutating func compareReader(
        _ sources: [SelectionSet],
        _ readers: [PlanSet],
        _ object: SchemaType,
        _ values: [String: Bool],
        _ path: String
    ) throws {
        visits += 1
        let source = NaiveSelections(
            sources, on: object, schema: schema, fragments: fragments, values: values, followsSpreads: false)
        let read = PlanSelections(readers, on: object, schema: schema, values: values)
        let label = "the reader of \(path) on \(object.name) with \(Self.describe(values))"
        func fail(_ message: String) -> Mismatch { Mismatch(description: "\(label): \(message)") }
        let reachable = source.fields.filter { $0.key != "__typename" && $0.value.isReachable }
        let fields = Set(reachable.keys)
        guard fields == Set(read.fields.keys) else {
            throw fail("has \(read.fields.keys.sorted()) and should have \(fields.sorted())")
        }
        for (key, field) in reachable {
            guard let own = read.fields[key]?.field else { continue }
            guard own.name == field.name, own.arguments == field.arguments else { throw fail("'\(key)' differs") }
        }
        guard source.spreads == read.spreads else {
            throw fail("spreads \(read.spreads.sorted()) and should spread \(source.spreads.sorted())")
        }
        for set in readers { try compareInlines(of: set, object, values, fail) }
        for (key, selected) in read.fields.sorted(by: { $0.key < $1.key }) where !selected.sets.isEmpty {
            guard let field = schema.field(named: selected.field.name, on: object) else { continue }
            for type in objects(of: field) {
                try compareReader(source.fields[key]?.sets ?? [], selected.sets, type, values, path + "." + key)
            }
        }
    }

    /// Checks that a matching inline fragment has each item of its enclosing set.
    private func compareInlines(
        of set: PlanSet, _ object: SchemaType, _ values: [String: Bool], _ fail: (String) -> Mismatch
    ) throws {
        let around = PlanSelections([set], on: object, schema: schema, values: values, isDirect: true)
        for case .inline(let inline) in set.items where inline.condition.holds(values) {
            guard let type = schema.type(named: inline.type), schema.isPossible(object, for: type) else { continue }
            let inside = PlanSelections(
                [inline.selections], on: object, schema: schema, values: values, isDirect: true)
            for key in around.fields.keys where inside.fields[key] == nil {
                throw fail("<\(inline.type)> lacks '\(key)' of the set around it")
            }
            for name in around.spreads where !inside.spreads.contains(name) {
                throw fail("<\(inline.type)> lacks the spread of '\(name)' of the set around it")
            }
            try compareInlines(of: inline.selections, object, values, fail)
        }
    }

    private static func describe(_ values: [String: Bool]) -> String {
        values.filter(\.value).keys.sorted().joined(separator: ", ")
    }
}
