extension CommandDescription {
    /// All commands, in the order of the help.
    static let all: [CommandDescription] = [
        initialize, compile, validate, format, printSchema, printOperations, fetchSchema, mock,
        languageServer,
    ]

    /// The options of every command that reads a schema and documents.
    private static let reading: [OptionDescription] = [.warning, .all, .maximumNesting, .maximumTokens, .color]

    static let initialize = CommandDescription(
        words: ["init"],
        summary: "Writes a baton.json to start from.",
        discussion: [
            """
            Every key is there with its default and what it means. A schema that is found is filled in. With --url, the schema
            is fetched from a server into schema.graphql first, as 'schema fetch' does.
            """
        ],
        options: [.url, .header, .timeout, .retries, .authorities],
        perform: InitCommand.perform
    )

    static let compile = CommandDescription(
        words: ["compile"],
        summary: "Writes Swift for the operations and fragments of a project.",
        discussion: [
            """
            Prints what changed. Nothing is written if anything is wrong. Generated files that nothing stands behind any
            more are removed; files that were not generated are never touched.
            """
        ],
        options: [.config, .check, .watch, .build, .cache] + Self.reading + [.format],
        explainsConfiguration: true,
        perform: CompileCommand.perform
    )

    static let validate = CommandDescription(
        words: ["validate"],
        summary: "Checks schema and documents and writes nothing.",
        discussion: [
            """
            Without --schema the project's configuration says what to check. With --watch it goes on, also in a package whose
            build generates.
            """
        ],
        options: [.schema, .schemaExtension, .documents, .config, .watch] + Self.reading + [.format],
        perform: ValidateCommand.perform
    )

    static let mock = CommandDescription(
        words: ["mock"],
        summary: "Starts 'baton-mock', a server that answers any operation of a schema.",
        discussion: [
            """
            The program 'baton-mock' comes with the runtime, and is started in place of this one if it stands beside it.
            Otherwise the command that starts it is printed, and the status is 2. 'baton-mock --help' explains its arguments.
            """
        ],
        operands: ("ARGUMENT", "What 'baton-mock' is given."),
        takesEverything: true,
        options: [],
        perform: MockCommand.perform
    )

    static let printSchema = CommandDescription(
        words: ["print", "schema"],
        summary: "Prints the schema as the compiler understands it: merged, in SDL.",
        options: [.schema, .schemaExtension, .config] + Self.reading,
        perform: PrintCommand.printSchema
    )

    static let printOperations = CommandDescription(
        words: ["print", "operations"],
        summary: "Prints operations as they are sent to the server.",
        discussion: [
            """
            As text they are laid out for people. As JSON they are a list of objects with 'name', 'kind' and 'text', where
            'text' is exactly what is sent.
            """
        ],
        operands: ("NAME", "Operations to print; all of them if there is none."),
        options: [.schema, .schemaExtension, .documents, .config] + Self.reading + [.outputFormat],
        perform: PrintCommand.printOperations
    )
}

extension OptionDescription {
    static let config = OptionDescription(
        name: "--config",
        arity: .one("FILE"),
        summary: "The configuration; if left out, 'baton.json' here, the nearest above, or else the only one below."
    )
    static let check = OptionDescription(
        name: "--check",
        arity: .flag,
        summary: "Writes nothing; fails if anything would change, and says what."
    )
    static let watch = OptionDescription(
        name: "--watch",
        arity: .flag,
        summary: "Goes on, and does the same again whenever a file changes; one line for each time. A signal ends it."
    )
    static let build = OptionDescription(
        name: "--build",
        arity: .one("LIST"),
        summary: "For the build plugin: writes a file for each source that the list names, and nothing in the project."
    )
    static let cache = OptionDescription(
        name: "--cache",
        arity: .one("FOLDER"),
        summary: "Where to keep what is known of projects; 'off' for nowhere. Otherwise the system's folder for caches."
    )
    static let warning = OptionDescription(
        name: "--warning",
        arity: .many("ID=LEVEL"),
        summary: "What becomes of a warning: 'off', 'warning' or 'error'. Wins over the configuration."
    )
    static let all = OptionDescription(
        name: "--all",
        arity: .flag,
        summary: "Shows every warning, not three of a kind in a file and twelve in all, and those of the schema."
    )
    static let maximumNesting = OptionDescription(
        name: "--max-nesting",
        arity: .one("N"),
        summary: "How deep selections and values may be nested. Wins over the configuration."
    )
    static let maximumTokens = OptionDescription(
        name: "--max-tokens",
        arity: .one("N"),
        summary: "How many tokens a file may have. Wins over the configuration."
    )
    static let color = OptionDescription(
        name: "--color",
        arity: .choice(["auto", "always", "never"]),
        summary: "Colours in diagnostics; 'auto', the default, on a terminal unless NO_COLOR is set."
    )
    static let outputFormat = OptionDescription(
        name: "--format",
        arity: .choice(["text", "json"]),
        summary: "How operations are printed; text if left out."
    )
    static let schema = OptionDescription(
        name: "--schema",
        arity: .many("S"),
        summary: "Schema, in SDL or as introspection JSON: files, folders or patterns."
    )
    static let schemaExtension = OptionDescription(
        name: "--schema-extension",
        arity: .many("E"),
        summary: "Schema files with types and fields that only the client knows."
    )
    static let documents = OptionDescription(
        name: "--documents",
        arity: .many("D"),
        summary: "GraphQL and Swift sources: files, folders or patterns."
    )
}
