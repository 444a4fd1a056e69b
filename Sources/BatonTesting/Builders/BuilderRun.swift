import Baton
import BatonSchema
import BatonSyntax

/// Executes a document for a builder: again and again until no execution notes another change than the one before.
struct BuilderRun {
    let table: GeneratedCode.BuilderTable
    let text: String
    /// The world that fills the rest; nil for that of the table.
    let world: World?
    /// The conversions of the mapped scalars that the answer may have.
    let scalars: [GeneratedCode.ScalarDecoder]

    /// The variables and the data of an answer.
    struct Answer {
        let variables: [JSONValue.Member]
        let data: JSONValue
    }

    /// Each execution can only note what the one before has changed, so that a few suffice.
    private static let mostExecutions = 16

    /// Returns the answer with the edits.
    ///
    /// - Parameter given: The variables. Required ones that are left out get a value of their types.
    func answer(_ given: [JSONValue.Member], _ edits: GeneratedCode.Edits) throws(BuilderError) -> Answer {
        let loaded = try table.load()
        let schema = loaded.world.schema
        let prepared = try table.document(text, loaded)
        do throws(RequestProblems) {
            let operation = prepared.operations[try prepared.operation(named: nil)]
            guard let type = schema.rootType(for: operation.kind) else {
                throw RequestProblems("The table of the schema has no root type for the operation.")
            }
            let variables = ExampleVariables(prepared, schema).complete(given, of: operation, on: type)
            let values = try VariableValues(.object(variables), for: operation, schema: schema)
            let source = self.world?.data ?? loaded.world
            let fitting = Dictionary(
                scalars.map { ($0.name, FittingScalars.generator(for: $0)) }, uniquingKeysWith: { first, _ in first })
            var changes: [String: EditedValues.Change] = [:]
            for _ in 0..<Self.mostExecutions {
                // What a mutation changes is changed in the copy.
                let world = source.copy(over: loaded.world.known, scalars: fitting)
                let edited = EditedValues(world, edits: edits, changes: changes)
                let execution = Execution(
                    schema: schema, resolvers: self.world?.service.resolvers ?? .none, values: edited,
                    fragments: prepared.fragments, variables: values, operationName: operation.name?.text,
                    limits: LocalService.Limits())
                guard let root = world.root(for: operation.kind) else { break }
                let data = try execution.run(operation.selectionSet, on: type, root: root)
                let noted = edited.result
                if noted.changes.mapValues(\.value.identity) == changes.mapValues(\.value.identity) {
                    return try finish(data, execution.problems, noted, edits, variables)
                }
                changes = noted.changes
            }
        } catch {
            throw BuilderError(error.problems.map(\.message))
        }
        throw BuilderError(["the edits contradict each other: each execution of the operation undoes one of them"])
    }

    private func finish(
        _ data: JSONValue, _ problems: [RequestProblem], _ noted: EditedValues.Noted, _ edits: GeneratedCode.Edits,
        _ variables: [JSONValue.Member]
    ) throws(RequestProblems) -> Answer {
        guard problems.isEmpty else { throw RequestProblems(problems) }
        // The root is no field.
        let missed = edits.places.filter { !$0.isEmpty && !noted.places.contains($0) }
        // What lies below a missed edit is missed too.
        let first = missed.filter { place in !missed.contains { place.hasPrefix($0 + ".") } }
        let mistakes = noted.mistakes + first.map { "the edit of '\($0)' reaches nothing in the answer" }
        guard mistakes.isEmpty else { throw RequestProblems(mistakes.map { RequestProblem($0, at: []) }) }
        return Answer(variables: variables, data: data)
    }
}
