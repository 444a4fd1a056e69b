// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if DEBUG
    import Foundation
    import Testing

    @testable import Baton

    /// What an environment without a log writes to standard error.
    @Suite(.serialized, .timeLimit(.minutes(20))) struct MistakeTests {
        /// Runs a body, and returns what is written to standard error meanwhile, by whomever. It is passed on.
        private func written(_ body: () async throws -> Void) async throws -> String {
            try await capture { _ in try await body() }
        }

        /// Runs a body, which may look at what is written until then.
        private func capture(_ body: (() throws -> String) async throws -> Void) async throws -> String {
            let file = FileManager.default.temporaryDirectory.appending(path: "mistakes-\(UUID().uuidString)")
            let (kept, taken) = (dup(2), open(file.path, O_CREAT | O_RDWR, 0o600))
            defer {
                for descriptor in [kept, taken] { _ = close(descriptor) }
                try? FileManager.default.removeItem(at: file)
            }
            dup2(taken, 2)
            defer { dup2(kept, 2) }
            let output = { try String(contentsOf: file, encoding: .utf8) }
            try await body(output)
            dup2(kept, 2)
            return try output()
        }

        private func count(_ text: String, in output: String) -> Int { output.ranges(of: text).count }

        /// Loses two optimistic changes of a name, and misspells it twice.
        private func mistake(_ name: String, in environment: RelayEnvironment) throws {
            struct Lost: Error, CustomStringConvertible { let description: String }
            for round in 0..<2 {
                let update = environment.applyUpdate { _ in throw Lost(description: "\(name) \(round)") }
                update.revert()
            }
        }

        @Test func aMisuseIsWrittenOnceForEachPlace() async throws {
            let places = ["MistakesOneQuery", "MistakesTwoQuery"]
            let output = try await written {
                let environment = RelayEnvironment(network: ScriptedNetwork())
                for _ in 0..<3 {
                    for place in places { environment.log.report(.handleLetGo, at: place) }
                }
            }
            for place in places { #expect(count("a handle of '\(place)' was let go", in: output) == 1) }
        }

        @Test func theFirstMistakeOfAKindIsWrittenOnceForEachEnvironment() async throws {
            let names = ["mistakes-of-one", "mistakes-of-two"]
            let output = try await written {
                for name in names { try mistake(name, in: RelayEnvironment(network: ScriptedNetwork())) }
            }
            for name in names {
                #expect(count("\(name) 0", in: output) == 1 && count("\(name) 1", in: output) == 0)
            }
            #expect(output.contains("baton: the update of an optimistic change failed"))
            #expect(output.contains("'log: { _ in }' to see nothing"))
        }

        @Test func everyLogTurnsItOff() async throws {
            let output = try await written {
                let environment = RelayEnvironment(network: ScriptedNetwork(), log: { _ in })
                try mistake("mistakes-with-log", in: environment)
                let over = RelayEnvironment(over: environment.base(), network: ScriptedNetwork(), log: { _ in })
                try mistake("mistakes-over-log", in: over)
            }
            #expect(!output.contains("mistakes-with-log") && !output.contains("mistakes-over-log"))
        }

        @Test func environmentsOverABaseWriteOnceTogether() async throws {
            let output = try await written {
                let base = RelayEnvironment(network: ScriptedNetwork(), log: { _ in }).base()
                for round in 0..<3 {
                    try mistake(
                        "mistakes-over-\(round)-", in: RelayEnvironment(over: base, network: ScriptedNetwork()))
                }
            }
            #expect(count("mistakes-over-0", in: output) == 1)
            #expect(!output.contains("mistakes-over-1") && !output.contains("mistakes-over-2"))
        }

        /// Fetches a film into an environment without a log.
        private func fetched(_ answer: String, _ environment: RelayEnvironment, _ network: ScriptedNetwork) async {
            async let answered = environment.fetch(Films.FilmQuery(id: "1"))
            while network.waiting == 0 { await Task.yield() }
            network.answer(answer)
            _ = try? await answered
        }

        @Test func aMisspelledFieldAndAnIrregularAnswerAreWritten() async throws {
            let output = try await written {
                let network = ScriptedNetwork()
                let environment = RelayEnvironment(network: network)
                await fetched(
                    Films.film("1", "half \\ud800").dropLast() + #","errors":[{"message":"odd","path":"film"}]}"#,
                    environment, network)
                try environment.update { try $0.get("1")?.setValue("two", forField: "tilte") }
            }
            #expect(output.contains("an update names the field 'tilte' of the record '1'"))
            #expect(output.contains("a text at film.title holds half of a surrogate pair"))
            #expect(output.contains("the 'path' of the error 'odd' is not as GraphQL has it"))
        }

        @Test func aLostUpdateIsWritten() async throws {
            let output = try await written {
                let network = ScriptedNetwork()
                let environment = RelayEnvironment(network: network)
                await fetched(Films.film("1", "one"), environment, network)
                let update = environment.applyUpdate { try $0.get("1")?.setValue([1], forField: "title") }
                update.revert()
            }
            #expect(output.contains("baton: the update of an optimistic change failed"))
            #expect(output.contains("title"))
        }

        @Test func aChangedTypeIsWritten() async throws {
            let output = try await written {
                let network = ScriptedNetwork()
                let environment = RelayEnvironment(network: network)
                await fetched(
                    Films.film("1", "one").replacing(#""id":"p1""#, with: #""id":"1""#), environment, network)
            }
            #expect(output.contains("baton: the record '1' was a "))
        }

        /// A folder with a generated file whose source was edited afterwards.
        private static let stale: String = {
            let folder = FileManager.default.temporaryDirectory.appending(path: "mistakes-\(UUID().uuidString)")
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, text) in [
                ("Edited.graphql", "query Edited { total }\n"),
                (
                    "Edited.graphql.swift",
                    "// @generated by baton. Do not edit. Source: query Edited 0000000000000001 in Edited.graphql\n"
                ),
            ] {
                try? Data(text.utf8).write(to: folder.appending(path: name))
            }
            return folder.path()
        }()

        /// `query Edited { total }`, generated from another text.
        private struct EditedQuery: GraphQLQuery {
            static let artifact = GeneratedCode.OperationArtifact(
                name: "Edited", kind: .query, text: "query Edited { total }", normalization: "{total:Int}",
                reader: "{total:Int}", file: stale + "/Edited.graphql.swift")
            var variables = GeneratedCode.NoVariables()

            struct Data: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
            }
        }

        @Test func staleGeneratedCodeIsWritten() async throws {
            defer { try? FileManager.default.removeItem(atPath: Self.stale) }
            let line = "baton: operation 'Edited' runs as it was generated, but its source has changed"
            _ = try await capture { output in
                let network = ScriptedNetwork()
                let environment = RelayEnvironment(network: network)
                async let answered = environment.fetch(EditedQuery())
                while network.waiting == 0 { await Task.yield() }
                // A program may end after its first result.
                try #expect(output().contains(line))
                network.answer(#"{"data":{"total":1}}"#)
                _ = try? await answered
                withExtendedLifetime(environment) {}
            }
        }

        @Test func aFieldThatNoOperationSelectsIsNotWritten() async throws {
            let output = try await written {
                let network = ScriptedNetwork()
                let environment = RelayEnvironment(network: network)
                await fetched(Films.film("1", "one"), environment, network)
                try environment.update {
                    try $0.get("1")?.setValue("two", forField: "draftOfSomething")
                    try $0.get("1")?.setValue("two", forField: "tilte")
                }
            }
            // It may be meant so, and it leaves the place to a field that is surely wrong.
            #expect(!output.contains("draftOfSomething") && output.contains("tilte"))
        }

        @Test func whatIsNoMistakeIsNotWritten() async throws {
            struct Undone: Error {}
            let output = try await written {
                let network = ScriptedNetwork()
                let environment = RelayEnvironment(network: network)
                // The application hears of its own error, and a failed request is none of the program.
                try? environment.update { _ in throw Undone() }
                async let failed = environment.fetch(Films.FilmQuery(id: "none-of-it"))
                while network.waiting == 0 { await Task.yield() }
                network.fail()
                _ = try? await failed
            }
            #expect(!output.contains("Undone") && !output.contains("no route to host"))
        }
    }
#endif
