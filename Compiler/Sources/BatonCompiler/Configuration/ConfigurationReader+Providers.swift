import BatonDiagnostics

extension ConfigurationReader {
    mutating func readProviders(_ node: JSONNode) {
        guard case .object(let members) = node.value else {
            reportType(of: "'providers'", expected: "an object", node)
            return
        }
        for member in members {
            let name = "'providers.\(member.key)'"
            switch member.node.value {
            case .string:
                if let type = swiftType(name, member.node) {
                    configuration.providers[member.key] = .init(type: type, span: member.keySpan)
                }
            case .object(let parts): readProvider(parts, of: member)
            default: reportType(of: name, expected: "a string or an object", member.node)
            }
        }
    }

    private mutating func readProvider(_ parts: [JSONNode.Member], of member: JSONNode.Member) {
        var provider = Configuration.Provider(type: "", span: member.keySpan)
        for part in parts {
            let name = "'providers.\(member.key).\(part.key)'"
            switch part.key {
            case "type": swiftType(name, part.node).map { provider.type = $0 }
            case "module": identifier(name, part.node).map { provider.module = $0 }
            default: reportUnknownKey(part, among: ["type", "module"])
            }
        }
        if !parts.contains(where: { $0.key == "type" }) {
            report(.configurationValue, "the provider '\(member.key)' needs a 'type'", at: member.node.span)
        }
        configuration.providers[member.key] = provider
    }
}
