/// A command as the table has it: the parser and every help text are made from this and from nothing else.
struct CommandDescription: Sendable {
    /// One word, or two for a command like `print schema`.
    let words: [String]
    /// One line for the list of commands.
    let summary: String
    /// Paragraphs for the command's own help.
    var discussion: [String] = []
    /// The name of what may follow the command any number of times, with what it is.
    var operands: (name: String, summary: String)?
    let options: [OptionDescription]
    /// Whether the help explains the configuration.
    var explainsConfiguration = false
    let perform: @Sendable (inout CommandRun, ParsedArguments) -> Void

    var name: String { words.joined(separator: " ") }
}

/// An option of a command.
struct OptionDescription: Sendable {
    /// With its two dashes.
    let name: String
    let arity: Arity
    let summary: String

    enum Arity: Hashable, Sendable {
        case flag
        /// One value, called so in help.
        case one(String)
        /// One of these words.
        case choice([String])
        /// All values up to the next option.
        case many(String)
    }

    /// How it is written, such as `--config FILE`.
    var usage: String {
        switch arity {
        case .flag: name
        case .one(let value): "\(name) \(value)"
        case .choice(let words): "\(name) \(words.joined(separator: "|"))"
        case .many(let value): "\(name) \(value)..."
        }
    }
}

/// What stood behind a command.
struct ParsedArguments: Hashable {
    var operands: [String] = []
    /// By the name of the option; a flag has no values.
    var options: [String: [String]] = [:]

    func has(_ option: OptionDescription) -> Bool { options[option.name] != nil }

    func value(_ option: OptionDescription) -> String? { options[option.name]?.last }

    func values(_ option: OptionDescription) -> [String] { options[option.name] ?? [] }
}
