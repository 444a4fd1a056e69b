import BatonCompiler

/// The words of other tools, such as Relay's compiler and Apollo's program for iOS, with the words that mean the same
/// here.
enum ForeignWords {
    /// Commands by the words that stand for them elsewhere.
    static let commands = [
        "generate": "compile", "codegen": "compile", "build": "compile", "watch": "compile --watch",
        "check": "validate", "lint": "validate", "fmt": "format", "serve": "mock", "server": "lsp",
        "language-server": "lsp",
        "fetch": "schema fetch", "fetch-schema": "schema fetch", "download-schema": "schema fetch",
        "introspect": "schema fetch", "schema download": "schema fetch", "schema get": "schema fetch",
        "schema introspect": "schema fetch", "schema pull": "schema fetch",
    ]

    /// Options by the words that stand for them elsewhere.
    static let options = [
        "--validate": "--check", "--path": "--config", "-p": "--config", "-o": "--output", "-w": "--watch",
    ]

    /// The key of the configuration that an option of another tool sets; nil if there is none.
    static func key(for option: String) -> ConfigurationKey? {
        let word = String(option.drop { $0 == "-" })
        let keys: [String: ConfigurationKey] = [
            "src": .documents, "include": .documents, "includes": .documents, "excludes": .exclude,
            "artifactDirectory": .output, "artifact-directory": .output, "customScalars": .scalars,
        ]
        return ConfigurationKey(rawValue: word) ?? keys[word]
    }
}
