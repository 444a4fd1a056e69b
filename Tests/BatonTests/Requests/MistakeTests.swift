#if DEBUG
    import Foundation
    import Testing

    @testable import Baton

    /// What an environment without a log writes to standard error.
    @Suite(.serialized, .timeLimit(.minutes(10))) struct MistakeTests {
        /// Runs a body, and returns what is written to standard error meanwhile, by whomever. It is passed on.
        private func written(_ body: () async throws -> Void) async throws -> String {
            let file = FileManager.default.temporaryDirectory.appending(path: "mistakes-\(UUID().uuidString)")
            let (kept, taken) = (dup(2), open(file.path, O_CREAT | O_RDWR, 0o600))
            defer {
                for descriptor in [kept, taken] { _ = close(descriptor) }
                try? FileManager.default.removeItem(at: file)
            }
            dup2(taken, 2)
            defer { dup2(kept, 2) }
            try await body()
            dup2(kept, 2)
            return try String(contentsOf: file, encoding: .utf8)
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

        @Test func aMisspelledFieldAndAnIrregularAnswerAreWritten() async throws {
            let output = try await written {
                let network = ScriptedNetwork()
                let environment = RelayEnvironment(network: network)
                async let answered = environment.fetch(Films.FilmQuery(id: "1"))
                while network.waiting == 0 { await Task.yield() }
                network.answer(Films.film("1", "one").dropLast() + #","unheard":1,"\ud800":2}"#)
                _ = try? await answered
                try environment.update { try $0.get("1")?.setValue("two", forField: "tilte") }
            }
            #expect(output.contains("tilte"))
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
