import BatonDiagnostics

extension ConfigurationReader {
    /// Reads `persistConfig`, which has the keys of Relay's configuration.
    mutating func readPersistence(_ node: JSONNode) {
        guard case .object(let members) = node.value else {
            reportType(of: "'persistConfig'", expected: "an object", node)
            return
        }
        var persistence = Configuration.Persistence()
        for member in members {
            let name = "'persistConfig.\(member.key)'"
            switch member.key {
            case "algorithm": choice(name, member.node).map { persistence.algorithm = $0 }
            case "file": readFile(name, member.node).map { persistence.file = $0 }
            case "includeQueryText": boolean(name, member.node).map { persistence.includeQueryText = $0 }
            case "url", "params", "headers", "concurrency":
                let advice = "write the texts to a 'file', and upload it to the server"
                reportRefusedKey(member, of: "persistConfig", advice)
            default: reportUnknownKey(member, among: ["algorithm", "file", "includeQueryText"])
            }
        }
        configuration.persistConfig = persistence
    }

    private mutating func readFile(_ name: String, _ node: JSONNode) -> Configuration.Entry? {
        guard let text = string(name, node) else { return nil }
        let path = AbsolutePath(text, relativeTo: configuration.directory)
        if text.isEmpty || text.hasSuffix("/") || Glob.isPattern(text) || configuration.directory.isInside(path) {
            report(.configurationValue, "\(name) must be the path of one file", at: node.span)
            return nil
        }
        return Configuration.Entry(text, span: node.span)
    }
}
