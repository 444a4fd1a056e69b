import AnswerModel
import Baton
import Foundation

/// Compiles random documents in Relay's language, has their texts executed, and compares the data that readers show
/// with the meaning of the documents. Ends after the given number of operations or seconds, or at the first difference.
///
/// With `--world SCHEMA` it answers requests in a world of that schema instead, one line of JSON each; see
/// `WorldAnswers`.
///
/// `answer-model [--operations N] [--seconds N] [--seed N] [--server COMMAND]`: the command is split at spaces. Without
/// a command, texts are executed in this process. Without a number, 2,000 operations are compared.
@main struct AnswerModelProgram {
    static func main() throws {
        var operations: Int?
        var seconds: Int?
        var seed: UInt64 = 1
        var command: [String] = []
        var schema: String?
        var rest = CommandLine.arguments.dropFirst()
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { fail("'\(name)' wants a value") }
            switch (name, UInt64(value)) {
            case ("--operations", let number?) where number < UInt64(Int.max): operations = Int(number)
            case ("--seconds", let number?): seconds = Int(min(number, 1_000_000))
            case ("--seed", let number?): seed = number
            case ("--world", _): schema = value
            case ("--server", _): command = value.split(separator: " ").map(String.init)
            default: fail("'\(name) \(value)' is not an option")
            }
        }
        if let schema { return try answer(in: schema, seed) }
        let end = seconds.map { ContinuousClock.now + .seconds($0) }
        let count = operations ?? (end == nil ? 2_000 : .max)
        if command.isEmpty {
            exit(campaign(count, until: end, seed, LocalAnswerServer()))
        }
        exit(campaign(count, until: end, seed, try ChildAnswerServer(command)))
    }

    /// Answers the requests of standard input.
    private static func answer(in schema: String, _ seed: UInt64) throws {
        let answers = try WorldAnswers(schema: String(contentsOfFile: schema, encoding: .utf8), seed: seed)
        while let line = readLine() {
            print(try answers.answer(try JSONValue.parse(line)).text)
            fflush(nil)
        }
    }

    private static func fail(_ message: String) -> Never {
        print("answer-model: \(message)")
        exit(2)
    }

    /// Runs a campaign. Campaigns with different seeds use different documents.
    private static func campaign(
        _ operations: Int, until end: ContinuousClock.Instant?, _ seed: UInt64, _ server: some AnswerServer
    ) -> Int32 {
        var tally = AnswerCampaign.Tally()
        let start = ContinuousClock.now
        var next = seed << 32
        while tally.operations < operations, tally.failure == nil, end.map({ .now < $0 }) ?? true {
            AnswerCampaign.run(seed: next, server, into: &tally)
            next &+= 1
        }
        let (seconds, _) = start.duration(to: .now).components
        print(
            "\(tally.operations) operations in \(tally.documents) documents showed \(tally.fields) fields and "
                + "\(tally.errors) errors in \(seconds) s; \(tally.parts) payloads came later, \(tally.ambiguous) were ambiguous, and \(tally.invalid) documents "
                + "were invalid")
        guard let failure = tally.failure else { return 0 }
        print("FAILED with \(failure)")
        return 1
    }
}
