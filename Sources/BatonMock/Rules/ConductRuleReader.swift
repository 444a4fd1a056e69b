import Baton

/// Reads rules from JSON: an array of objects, such as `{"operation": "Films*", "delay": 200}`.
struct ConductRuleReader {
    /// All mistakes of a file with rules.
    struct Mistakes: Error, Equatable, CustomStringConvertible {
        /// One text for each mistake, which begins with the number of the rule.
        let messages: [String]

        var description: String { messages.joined(separator: "\n") }
    }

    /// The number of rules that a file may have.
    static let most = 1_000

    private var rules: [ConductRule] = []
    private var mistakes: [String] = []
    /// Where a mistake is.
    private var place = ""

    /// The rules of a file.
    ///
    /// - Throws: ``Mistakes``, all that there are.
    static func rules(in bytes: [UInt8]) throws(Mistakes) -> [ConductRule] {
        var reader = ConductRuleReader()
        do throws(JSONValue.ParseError) {
            reader.read(try JSONValue.parse(bytes))
        } catch {
            reader.mistakes = ["the file is no JSON: \(error.description)"]
        }
        guard reader.mistakes.isEmpty else { throw Mistakes(messages: Array(reader.mistakes.prefix(20))) }
        return reader.rules
    }

    private mutating func read(_ file: JSONValue) {
        guard let elements = file.arrayValue else {
            return mistakes.append(
                #"the file is no array of rules, such as [{"operation": "FilmQuery", "delay": 200}]"#)
        }
        guard elements.count <= Self.most else {
            return mistakes.append("the file has \(elements.count) rules; there are at most \(Self.most)")
        }
        for (index, element) in elements.enumerated() {
            place = "rule \(index + 1)"
            guard let members = element.objectValue else {
                report("is no object")
                continue
            }
            var rule = ConductRule()
            for member in members { read(member, into: &rule) }
            if rule.conduct == Conduct() { report("says nothing: give it \(Self.effects)") }
            rules.append(rule)
        }
    }

    private static let effects = "'delay', 'error', 'status', 'drop' or 'events'"

    private mutating func read(_ member: JSONValue.Member, into rule: inout ConductRule) {
        let value = member.value
        switch member.name {
        case "operation": rule.operations = names(value)
        case "kind":
            rule.kind = value.stringValue.flatMap { OperationKind(rawValue: $0) }
            if rule.kind == nil {
                report("'kind' is \"query\", \"mutation\" or \"subscription\"; it is \(shown(value))")
            }
        case "variables":
            rule.variables = value.objectValue ?? []
            if value.objectValue == nil { report("'variables' is an object; it is \(shown(value))") }
        case "every": rule.every = number(member, 1...1_000_000) ?? 1
        case "times": rule.times = number(member, 1...1_000_000)
        case "delay": rule.conduct.delay = number(member, Conduct.delays)
        case "status": rule.conduct.status = number(member, Conduct.statuses)
        case "drop": rule.conduct.drop = number(member, Conduct.numbers)
        case "events": rule.conduct.events = number(member, Conduct.numbers)
        case "error":
            rule.conduct.error = value.stringValue
            if value.stringValue == nil { report("'error' is a text; it is \(shown(value))") }
        default:
            report(
                "there is no member '\(member.name.prefix(40))'; a rule has 'operation', 'kind', 'variables', 'every', "
                    + "'times', and one or more of \(Self.effects)")
        }
    }

    private mutating func names(_ value: JSONValue) -> [String] {
        let values = value.arrayValue ?? [value]
        let names = values.compactMap(\.stringValue).filter { !$0.isEmpty }
        if names.isEmpty || names.count < values.count {
            report(
                "'operation' is a name such as \"FilmQuery\" or \"Film*\", or an array of names; it is \(shown(value))")
        }
        return names
    }

    private mutating func number(_ member: JSONValue.Member, _ range: ClosedRange<Int>) -> Int? {
        guard let number = member.value.intValue, range.contains(number) else {
            report(
                "'\(member.name)' is a number from \(range.lowerBound) to \(range.upperBound); it is "
                    + shown(member.value))
            return nil
        }
        return number
    }

    private func shown(_ value: JSONValue) -> String { String(value.text.prefix(60)) }

    private mutating func report(_ message: String) { mistakes.append("\(place): \(message)") }
}
