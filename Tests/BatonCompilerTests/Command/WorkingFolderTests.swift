import BatonCommand
import BatonCompiler
import Foundation
import Testing

/// The search for a configuration, and the commands that messages propose.
struct WorkingFolderTests {
    private static func run(_ arguments: String, in path: AbsolutePath, as program: String = "baton")
        -> CommandLineTool.Outcome
    {
        CommandLineTool.run(arguments.split(separator: " ").map(String.init), in: path.description, as: program)
    }

    @Test func theNearestConfigurationIsUsedAndNamed() throws {
        let folder = try CommandTests.project()
        try folder.makeFolder("App/Rows/Deep")
        let deep = folder.path.appending("App/Rows/Deep")
        let compiled = Self.run("compile", in: deep)
        #expect(compiled.status == .success)
        #expect(compiled.errors == "using \(folder.path)/baton.json\n")
        #expect(folder.text(CommandTests.generated[0])?.contains(" in App/FilmList.swift\n") == true)
        #expect(CommandTests.run("compile --check", in: folder) == CommandLineTool.Outcome())
        for command in ["validate", "print schema", "print operations"] {
            #expect(Self.run(command, in: deep).errors == compiled.errors)
        }
        for command in ["validate --format json", "print operations --format json", "compile --format github"] {
            let outcome = Self.run(command, in: deep)
            #expect(outcome.status == .success && outcome.errors == "", "\(command): \(outcome.errors)")
        }

        try folder.write(#"{"schema": "../schema.graphql", "output": "Made"}"#, to: "App/baton.json")
        let nearer = Self.run("compile", in: deep)
        #expect(nearer.errors == "using \(folder.path)/App/baton.json\n")
        #expect(folder.text("App/Made/FilmListQuery.graphql.swift") != nil)
        let named = Self.run("validate --config ../../../baton.json", in: deep)
        #expect(named.errors.contains("there is no operation"), "\(named.errors)")
        let schema = Self.run("validate --schema ../../../schema.graphql", in: deep)
        #expect(schema == CommandLineTool.Outcome())
    }

    @Test func withoutAConfigurationAMessageSaysHowToWriteOne() throws {
        let folder = try TemporaryFolder(["a/b": ""])
        for program in ["baton", "swift run baton"] {
            let outcome = Self.run("compile", in: folder.path.appending("a"), as: program)
            #expect(outcome.status == .usageErrors)
            #expect(
                outcome.errors == """
                    error: there is no 'baton.json' in this folder or one above it [configuration-file]
                      help: '\(program) init' writes one
                    1 error

                    """)
        }
        let named = CommandTests.run("compile --config other.json", in: folder)
        #expect(named.status == .usageErrors)
        #expect(named.errors == "error: the configuration 'other.json' does not exist [configuration-file]\n1 error\n")
    }

    @Test(
        arguments: [
            (nil, "baton"), ("baton", "baton"), ("/usr/local/bin/baton", "/usr/local/bin/baton"),
            ("./baton", "./baton"),
            ("/app/.build/x86_64-unknown-linux-gnu/debug/baton", "swift run baton"),
            (".build/debug/baton", "swift run baton"),
            ("/app/x.build/baton", "/app/x.build/baton"),
        ] as [(String?, String)])
    func theProgramIsCalledAsItWasStarted(_ argument: String?, _ expected: String) {
        #expect(ProgramName.of(argument) == expected)
    }

    @Test func theProposedCommandCanBeRun() throws {
        let folder = try TemporaryFolder(["schema.graphql": CommandTests.schema])
        let program = "swift run baton"
        #expect(Self.run("init", in: folder.path, as: program).output.hasSuffix("then run 'swift run baton compile'\n"))
        try folder.write("query A { films { id } }", to: "A.graphql")
        let check = Self.run("compile --check", in: folder.path, as: program)
        #expect(check.errors.hasSuffix("1 artifact differs; 'swift run baton compile' brings them up to date\n"))
        let help = Self.run("--help", in: folder.path, as: program).output
        #expect(help.hasPrefix("usage: swift run baton COMMAND [OPTION...]\n"))
        #expect(help.contains("'swift run baton COMMAND --help' explains a command."))
        let compile = Self.run("compile --help", in: folder.path, as: program).output
        #expect(compile.hasPrefix("usage: swift run baton compile [--config FILE]"))
        #expect(compile.split(separator: "\n\n")[0].split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    /// Generated files belong to the target of the configuration.
    @Test(arguments: ["../elsewhere", "a/../../elsewhere", "/tmp/elsewhere", ""])
    func outputStaysBelowTheConfiguration(_ output: String) throws {
        let folder = try CommandTests.project(["App/baton.json": "{\"output\": \"\(output)\"}"])
        let outcome = Self.run("compile", in: folder.path.appending("App"))
        #expect(outcome.status == .usageErrors)
        #expect(outcome.errors.hasPrefix("baton.json:1:12: error: 'output' must be "), "\(outcome.errors)")
        #expect(folder.contents.keys.contains { $0.hasSuffix(".graphql.swift") } == false)
    }

    @Test func outputInAFolderWithASimilarNameIsRefused() throws {
        let folder = try CommandTests.project(["App/baton.json": #"{"output": "../App2"}"#])
        let outcome = Self.run("compile", in: folder.path.appending("App"))
        #expect(outcome.status == .usageErrors)
        #expect(outcome.errors.contains("'output' must be a path below the folder of the configuration, not '../App2'"))
    }
}
