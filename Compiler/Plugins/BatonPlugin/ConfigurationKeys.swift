import Foundation

/// The keys of a configuration that name files. What cannot be read counts as left out: the tool reports it.
struct ConfigurationKeys {
    private(set) var schemas = ["schema.graphql"]
    private(set) var documents: [String] = []
    private(set) var output = "__generated__"

    init(_ file: URL) {
        guard let data = try? Data(contentsOf: file), let text = String(data: data, encoding: .utf8),
            let object = try? JSONSerialization.jsonObject(with: Data(Self.withoutComments(text).utf8)),
            let keys = object as? [String: Any]
        else { return }
        func entries(_ key: String) -> [String]? { (keys[key] as? [String]) ?? (keys[key] as? String).map { [$0] } }
        schemas = (entries("schema") ?? schemas) + (entries("schemaExtensions") ?? [])
        documents = entries("documents") ?? []
        output = keys["output"] as? String ?? output
    }

    /// The text without comments, which `//` begins outside of strings.
    private static func withoutComments(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var isString = false
            var isEscaped = false
            var previous: Character?
            for index in line.indices {
                let character = line[index]
                if isEscaped {
                    isEscaped = false
                } else if isString, character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    isString.toggle()
                } else if !isString, character == "/", previous == "/" {
                    return line[..<line.index(before: index)]
                }
                previous = character
            }
            return line
        }
        .joined(separator: "\n")
    }
}
