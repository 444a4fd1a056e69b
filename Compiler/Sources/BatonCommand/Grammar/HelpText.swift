import BatonCompiler

/// The texts of `--help`, made from the table of commands.
struct HelpText {
    let commands: [CommandDescription]
    /// The text that starts the program at a prompt.
    let program: String

    /// The longest line of a usage text.
    private static let width = 100

    /// All commands, one line each.
    var overview: String {
        let width = commands.map(\.name.count).max() ?? 0
        var lines = ["usage: \(program) COMMAND [OPTION...]", "", "commands:"]
        for command in commands { lines.append("  \(padded(command.name, width))  \(command.summary)") }
        lines += ["", "'\(program) COMMAND --help' explains a command. '\(program) --version' prints the version."]
        return lines.joined(separator: "\n")
    }

    /// The usage lines of commands, without explanations.
    func usage(of commands: [CommandDescription]) -> String {
        commands.map { "usage: " + usage(of: $0) }.joined(separator: "\n")
    }

    /// Everything about one command.
    func text(for command: CommandDescription) -> String {
        var lines = [usage(of: [command]), "", command.summary]
        for paragraph in command.discussion { lines += ["", paragraph] }
        let dots = command.takesOneOperand ? "" : "..."
        var entries = command.operands.map { [(usage: $0.name + dots, summary: $0.summary)] } ?? []
        entries += command.options.map { ($0.usage, $0.summary) }
        if !command.takesEverything { entries.append(("--help", "Prints this.")) }
        let width = entries.map(\.usage.count).max() ?? 0
        lines += ["", "options:"]
        for entry in entries { lines.append("  \(padded(entry.usage, width))  \(entry.summary)") }
        if command.explainsConfiguration { lines += configuration }
        lines += [
            "", "Exit status: 0 all is well, 1 the input has errors, 2 the command line or the configuration is wrong.",
        ]
        return lines.joined(separator: "\n")
    }

    /// The keys of the configuration with their defaults.
    private var configuration: [String] {
        let width = ConfigurationKey.allCases.map(\.rawValue.count).max() ?? 0
        var lines = ["", "keys of baton.json (paths count from its folder, '//' begins a comment):"]
        for key in ConfigurationKey.allCases {
            let start = "  " + padded(key.rawValue, width) + "  "
            let rest = String(repeating: " ", count: start.count)
            for (index, line) in key.documentation.enumerated() { lines.append((index == 0 ? start : rest) + line) }
            lines.append(rest + "Default: " + (key.defaultText ?? "none"))
        }
        return lines
    }

    /// The usage on as many lines as needed; continuation lines are indented to the options.
    private func usage(of command: CommandDescription) -> String {
        var parts = command.options.map { "[\($0.usage)]" }
        if let operands = command.operands {
            parts.insert(command.takesOneOperand ? operands.name : "[\(operands.name)...]", at: 0)
        }
        let start = program + " " + command.name
        let indentation = String(repeating: " ", count: "usage: ".count + start.count)
        var lines = [start]
        var width = indentation.count
        for part in parts {
            if width + part.count >= Self.width, width > indentation.count {
                lines.append(indentation)
                width = indentation.count
            }
            lines[lines.count - 1] += " " + part
            width += part.count + 1
        }
        return lines.joined(separator: "\n")
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
