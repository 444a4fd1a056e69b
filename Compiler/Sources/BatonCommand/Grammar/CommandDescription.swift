/// One entry of the table of commands; the parser and all help texts are made from the table alone.
struct CommandDescription: Sendable {
    /// One word, or two for a command like `print schema`.
    let words: [String]
    /// One line for the list of commands.
    let summary: String
    /// Paragraphs for the command's own help.
    var discussion: [String] = []
    /// The name and the meaning of the operands, which may follow the command any number of times.
    var operands: (name: String, summary: String)?
    /// Whether there must be exactly one operand.
    var takesOneOperand = false
    /// Whether everything that follows is an operand, because another program reads it.
    var takesEverything = false
    let options: [OptionDescription]
    /// Whether the help explains the configuration.
    var explainsConfiguration = false
    let perform: @Sendable (inout CommandRun, ParsedArguments) -> Void

    var name: String { words.joined(separator: " ") }
}

struct OptionDescription: Sendable {
    /// The name with its two dashes.
    let name: String
    let arity: Arity
    let summary: String

    enum Arity: Hashable, Sendable {
        case flag
        /// One value; the text is its name in the help.
        case one(String)
        /// One of the given words.
        case choice([String])
        /// One value each time that the option is given.
        case each(String)
        /// All values up to the next option.
        case many(String)
    }

    /// The option in the form of the help, such as `--config FILE`.
    var usage: String {
        switch arity {
        case .flag: name
        case .one(let value), .each(let value): "\(name) \(value)"
        case .choice(let words): "\(name) \(words.joined(separator: "|"))"
        case .many(let value): "\(name) \(value)..."
        }
    }
}

/// The operands and options that follow a command.
struct ParsedArguments: Hashable {
    var operands: [String] = []
    /// The values by the name of the option; a flag has no values.
    var options: [String: [String]] = [:]

    func has(_ option: OptionDescription) -> Bool { options[option.name] != nil }

    func value(_ option: OptionDescription) -> String? { options[option.name]?.last }

    func values(_ option: OptionDescription) -> [String] { options[option.name] ?? [] }
}
