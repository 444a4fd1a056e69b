import BatonCompiler
import BatonDiagnostics

/// Parses a command line by the table of commands.
///
/// A value follows its option or stands after `=`. An option with many values takes all values up to the next option,
/// and may be repeated. After `--`, every argument is an operand.
struct ArgumentParser {
    let commands: [CommandDescription]
    /// The text that starts the program at a prompt.
    let program: String

    enum Outcome {
        case command(CommandDescription, ParsedArguments)
        case help(String)
        case version
        /// The message, with the usage below it.
        case failure(String)
    }

    func parse(_ arguments: [String]) -> Outcome {
        let help = HelpText(commands: commands, program: program)
        var rest = arguments[...]
        if rest.first == "help" {
            rest = rest.dropFirst()
            return find(&rest).map { .help(help.text(for: $0)) } ?? .help(help.overview)
        }
        guard let first = rest.first else { return .failure("a command is missing\n\n" + help.overview) }
        if first == "--help" || first == "-h" { return .help(help.overview) }
        if first == "--version" { return .version }
        if let command = find(&rest) { return parse(rest, of: command, help) }

        let group = commands.filter { $0.words.first == first && $0.words.count > 1 }
        if group.isEmpty {
            let kind = first.hasPrefix("-") ? "option" : "command"
            let names = kind == "command" ? Array(Set(commands.compactMap(\.words.first))) : ["--help", "--version"]
            return .failure(unknown(kind, first, among: names) + "\n\n" + help.overview)
        }
        let usage = help.usage(of: group)
        guard let second = rest.dropFirst().first else {
            let whole = group.map { "'" + $0.words.joined(separator: " ") + "'" }.joined(separator: " or ")
            return .failure("'\(first)' is no whole command; did you mean \(whole)?\n\n" + usage)
        }
        if second == "--help" || second == "-h" { return .help(usage) }
        return .failure(
            unknown("command", "\(first) \(second)", written: second, among: group.compactMap(\.words.last)) + "\n\n"
                + usage
        )
    }

    /// Finds the command that the arguments begin with, and removes its words from the arguments.
    private func find(_ rest: inout ArraySlice<String>) -> CommandDescription? {
        for command in commands where rest.starts(with: command.words) {
            rest = rest.dropFirst(command.words.count)
            return command
        }
        return nil
    }

    private func parse(_ arguments: ArraySlice<String>, of command: CommandDescription, _ help: HelpText) -> Outcome {
        var parsed = ParsedArguments()
        if command.takesEverything {
            parsed.operands = Array(arguments)
            return .command(command, parsed)
        }
        var rest = arguments
        func failure(_ message: String) -> Outcome { .failure(message + "\n\n" + help.usage(of: [command])) }
        while let argument = rest.popFirst() {
            if argument == "--" {
                parsed.operands += rest
                break
            }
            if argument == "--help" || argument == "-h" { return .help(help.text(for: command)) }
            guard argument.hasPrefix("-"), argument != "-" else {
                parsed.operands.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard let option = command.options.first(where: { $0.name == name }) else {
                return failure(
                    "unknown option '\(name)'" + (advice(onOption: name, of: command).map { "; " + $0 } ?? ""))
            }
            let attached = parts.count > 1 ? String(parts[1]) : nil
            if let message = take(option, attached, &rest, &parsed) { return failure(message) }
        }
        if command.operands == nil, let operand = parsed.operands.first {
            return failure("'\(command.name)' takes no argument '\(operand)'")
        }
        if command.takesOneOperand, parsed.operands.count != 1 {
            let name = command.operands?.name ?? "argument"
            let verb = parsed.operands.isEmpty ? "needs a" : "takes only one"
            return failure("'\(command.name)' \(verb) \(name)")
        }
        return .command(command, parsed)
    }

    /// Takes the values of an option; returns a message if they are wrong.
    private func take(
        _ option: OptionDescription,
        _ attached: String?,
        _ rest: inout ArraySlice<String>,
        _ parsed: inout ParsedArguments
    ) -> String? {
        // What is empty was most likely a variable of a script that has no value.
        if attached?.isEmpty ?? (rest.first?.isEmpty == true && option.arity != .flag) {
            return "'\(option.name)' is given an empty value"
        }
        func next() -> String? { rest.first.map { $0.hasPrefix("--") } == false ? rest.popFirst() : nil }
        switch option.arity {
        case .flag:
            if attached != nil { return "'\(option.name)' takes no value" }
            parsed.options[option.name] = []
        case .one(let name):
            if parsed.has(option) { return "'\(option.name)' is given twice" }
            guard let value = attached ?? next() else { return "'\(option.name)' needs a value \(name)" }
            parsed.options[option.name] = [value]
        case .each(let name):
            guard let value = attached ?? next() else { return "'\(option.name)' needs a value \(name)" }
            parsed.options[option.name, default: []].append(value)
        case .choice(let words):
            if parsed.has(option) { return "'\(option.name)' is given twice" }
            let quoted = words.map { "'\($0)'" }
            let choices = quoted.dropLast().joined(separator: ", ") + " or " + (quoted.last ?? "")
            guard let value = attached ?? next() else { return "'\(option.name)' needs a value, \(choices)" }
            guard words.contains(value) else { return "'\(option.name)' must be \(choices), not '\(value)'" }
            parsed.options[option.name] = [value]
        case .many(let name):
            var values = attached.map { [$0] } ?? []
            if attached == nil { while let value = next() { values.append(value) } }
            if values.contains("") { return "'\(option.name)' is given an empty value" }
            if values.isEmpty { return "'\(option.name)' needs at least one value \(name)" }
            parsed.options[option.name, default: []] += values
        }
        return nil
    }

    /// What a person who writes an unknown option may want; nil if nothing comes to mind.
    private func advice(onOption name: String, of command: CommandDescription) -> String? {
        let names = command.options.map(\.name) + ["--help"]
        if let meant = ForeignWords.options[name], names.contains(meant) { return Spelling.question(naming: [meant]) }
        if let key = ForeignWords.key(for: name) { return "'\(key.rawValue)' is a key of \(Configuration.fileName)" }
        // The dashes that all options have must not make them alike.
        let similar = Spelling.suggestions(
            for: String(name.drop { $0 == "-" }), among: names.map { $0.dropFirst(2) }.map(String.init))
        if let question = Spelling.question(naming: similar.map { "--" + $0 }) { return question }
        let owners = commands.filter { $0.options.contains { $0.name == name } }.map { "'\($0.name)'" }
        guard let last = owners.last else { return nil }
        let others = owners.dropLast().joined(separator: ", ")
        return others.isEmpty ? "\(last) has it" : "\(others) and \(last) have it"
    }

    private func unknown(_ kind: String, _ name: String, written: String? = nil, among names: [String]) -> String {
        let meant = kind == "command" ? ForeignWords.commands[name] : nil
        let question = Spelling.question(
            naming: meant.map { [$0] } ?? Spelling.suggestions(for: written ?? name, among: names))
        return "unknown \(kind) '\(name)'" + (question.map { "; " + $0 } ?? "")
    }
}
