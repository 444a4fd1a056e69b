import BatonCodegen
import BatonDiagnostics
import BatonSchema

extension ConfigurationReader {
    /// Reads `schemaCustomization`, which has the keys of Apollo's configuration, and a `module` beside the names.
    mutating func readSchemaCustomization(_ node: JSONNode) {
        guard case .object(let members) = node.value else {
            reportType(of: "'schemaCustomization'", expected: "an object", node)
            return
        }
        for member in members {
            guard member.key == "customTypeNames" else {
                reportUnknownKey(member, among: ["customTypeNames"])
                continue
            }
            guard case .object(let types) = member.node.value else {
                reportType(of: "'schemaCustomization.customTypeNames'", expected: "an object", member.node)
                continue
            }
            for type in types { readCustomType(type) }
        }
    }

    private mutating func readCustomType(_ member: JSONNode.Member) {
        let path = "schemaCustomization.customTypeNames.\(member.key)"
        var custom = Configuration.CustomType(span: member.keySpan)
        switch member.node.value {
        case .string: custom.customization.name = swiftName("'\(path)'", member.node)
        case .object(let parts):
            for part in parts {
                switch part.key {
                case "enum": readParts(part.node, path + ".enum", members: "cases", .enum, &custom)
                case "inputObject":
                    readParts(part.node, path + ".inputObject", members: "fields", .inputObject, &custom)
                case "name": custom.customization.name = swiftName("'\(path).name'", part.node)
                case "module": custom.customization.module = identifier("'\(path).module'", part.node)
                default: reportUnknownKey(part, among: ["name", "module", "enum", "inputObject"])
                }
            }
        default: reportType(of: "'\(path)'", expected: "a string or an object", member.node)
        }
        configuration.customTypes[member.key] = custom
    }

    private mutating func readParts(
        _ node: JSONNode, _ path: String, members key: String, _ kind: SchemaType.Kind,
        _ custom: inout Configuration.CustomType
    ) {
        custom.kind = kind
        guard case .object(let parts) = node.value else {
            reportType(of: "'\(path)'", expected: "an object", node)
            return
        }
        for part in parts {
            let name = "'\(path).\(part.key)'"
            switch part.key {
            case "name": custom.customization.name = swiftName(name, part.node)
            case "module": custom.customization.module = identifier(name, part.node)
            case key:
                guard case .object(let names) = part.node.value else {
                    reportType(of: name, expected: "an object", part.node)
                    continue
                }
                for member in names {
                    custom.memberSpans[member.key] = member.keySpan
                    custom.customization.members[member.key] = swiftName(
                        "\(name.dropLast()).\(member.key)'", member.node)
                }
            default: reportUnknownKey(part, among: ["name", "module", key])
            }
        }
    }

    /// A name that is written into Swift sources without changes.
    private mutating func swiftName(_ name: String, _ node: JSONNode) -> String? {
        guard let text = string(name, node) else { return nil }
        if Self.isName(text), text != "_" { return text }
        report(.configurationValue, "\(name) must be a name of Swift, not '\(text)'", at: node.span)
        return nil
    }
}
