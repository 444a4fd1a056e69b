import BatonCompiler
import BatonDiagnostics

/// `baton print schema` and `baton print operations`
enum PrintCommand {
    static func printSchema(_ run: inout CommandRun, _ arguments: ParsedArguments) {
        guard var compiler = arguments.compiler(for: &run) else { return }
        var inputs = arguments.inputs(for: &run, &compiler)
        if run.outcome.status != .success { return }
        inputs?.documents = []
        let compilation = inputs.map { compiler.load($0) }
        run.report(compiler, as: .text, arguments)
        if let compilation, run.outcome.status == .success { run.print(compiler.printedSchema(compilation)) }
    }

    static func printOperations(_ run: inout CommandRun, _ arguments: ParsedArguments) {
        if arguments.has(.schema), !arguments.has(.documents) {
            run.fail("'--schema' needs '--documents'")
            return
        }
        guard var compiler = arguments.compiler(for: &run) else { return }
        let inputs = arguments.inputs(for: &run, &compiler)
        if run.outcome.status != .success { return }
        var operations: [Compiler.PrintedOperation] = []
        var names: [String] = []
        var storeQueries: Set<String> = []
        if let inputs {
            let compilation = compiler.load(inputs)
            compiler.validate(compilation)
            names = compilation.operationNames
            storeQueries = compilation.updatableQueries
            let wanted = arguments.operands.isEmpty ? nil : Set(arguments.operands)
            operations = compiler.printedOperations(compilation, named: wanted)
        }
        run.report(compiler, as: .text, arguments)
        guard run.outcome.status == .success else { return }
        for name in arguments.operands where !names.contains(name) {
            let question = Spelling.question(for: name, among: names)
            run.fail("there is no operation '\(name)'" + (question.map { "; " + $0 } ?? ""))
        }
        guard run.outcome.status == .success else { return }
        for name in arguments.operands where !operations.contains(where: { $0.name == name }) {
            let why =
                storeQueries.contains(name)
                ? "'@updatable' reads and writes the store alone" : "the server has none of its fields"
            run.note("nothing is sent for '\(name)': \(why)")
        }
        if arguments.value(.outputFormat) == "json" {
            run.print(Compiler.json(operations))
        } else {
            run.print(operations.map(\.text.printableDocument).joined(separator: "\n"))
        }
    }
}
