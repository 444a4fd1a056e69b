import BatonCompiler
import Foundation

/// `baton init`
enum InitCommand {
    static func perform(_ run: inout CommandRun) {
        let path = run.path("baton.json")
        if FileKind(at: path) != nil {
            run.fail("'baton.json' exists already and is left as it is")
            return
        }
        let starter = StarterConfiguration(folder: run.workingDirectory)
        do {
            try Data(starter.text.utf8).write(to: URL(fileURLWithPath: path.description), options: .withoutOverwriting)
        } catch {
            run.fail("'baton.json' cannot be written: \(error.localizedDescription)")
            return
        }
        run.print("wrote baton.json")
        if let schema = starter.schema {
            run.print("schema: \(schema)")
        } else {
            run.print(
                """
                no schema was found: put the server's schema in schema.graphql, or say in 'schema' where it is; the guide \
                'Compiling documents' says how to ask a server for it
                """)
        }
        if starter.target == nil {
            run.print("say in 'output' where the generated files go: a folder inside your target")
        } else {
            run.print("output: \(starter.output)")
        }
        run.print("next: write a query, then run '\(run.program) compile'")
    }
}
