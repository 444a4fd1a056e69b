import BatonCompiler
import BatonFetch
import Foundation

/// `baton init`
enum InitCommand {
    static func perform(_ run: inout CommandRun, _ arguments: ParsedArguments) {
        let path = run.path("baton.json")
        if FileKind(at: path) != nil {
            run.fail("'baton.json' exists already and is left as it is")
            return
        }
        guard let fetched = fetchSchema(&run, arguments) else { return }
        let starter = StarterConfiguration(folder: run.workingDirectory, schema: fetched ? schemaName : nil)
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
                no schema was found: put the server's schema in schema.graphql, or say in 'schema' where it is; \
                '\(run.program) schema fetch' asks a server for it
                """)
        }
        let generating = PackageManifest.targetsGenerating(from: path)
        if !generating.isEmpty {
            showPlugin(generating, &run)
        } else {
            if starter.target == nil {
                run.print("say in 'output' where the generated files go: a folder inside your target")
            } else {
                run.print("output: \(starter.output)")
            }
            run.print("next: write a query, then run '\(run.program) compile'")
        }
    }

    /// Says what follows where the build generates.
    private static func showPlugin(_ targets: [String], _ run: inout CommandRun) {
        if targets.count > 1 {
            run.print(
                "each of the targets \(targets.joined(separator: ", ")) gets all documents: give each a 'baton.json' in "
                    + "its own folder")
        }
        run.print("next: write a query, then build, which generates; '\(run.program) validate' checks before")
    }

    private static let schemaName = "schema.graphql"

    /// Fetches the schema if there is a URL, and returns whether there is one; nil if that failed.
    private static func fetchSchema(_ run: inout CommandRun, _ arguments: ParsedArguments) -> Bool? {
        guard let url = arguments.value(.url) else {
            for option in [OptionDescription.header, .timeout, .retries, .authorities] where arguments.has(option) {
                run.fail("'\(option.name)' needs '--url'")
                return nil
            }
            return false
        }
        let path = run.path(schemaName)
        guard FileKind(at: path) == nil else {
            run.fail("'\(schemaName)' exists already; '\(run.program) schema fetch' replaces it")
            return nil
        }
        guard let schema = FetchCommand.fetch(url, &run, arguments) else { return nil }
        guard FetchCommand.write(Array(schema.text(as: .sdl).utf8), to: path, &run) else { return nil }
        run.print("wrote \(schemaName)")
        return true
    }
}
