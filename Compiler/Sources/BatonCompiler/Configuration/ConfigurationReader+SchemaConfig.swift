import BatonDiagnostics
import BatonSchema

extension ConfigurationReader {
    /// Reads `schemaConfig`, which has the keys of Relay's configuration.
    mutating func readSchemaConfig(_ node: JSONNode) {
        readNames(node, "schemaConfig", Self.keys) { reader, member in
            if member.key == "connectionInterface" {
                reader.readNames(member.node, "schemaConfig.connectionInterface", Self.connectionKeys)
                return true
            }
            guard let advice = Self.refusedKeys[member.key] else { return false }
            reader.reportRefusedKey(member, of: "schemaConfig", advice)
            return true
        }
    }

    /// Keys of Relay's configuration that have no meaning here, each with advice.
    private static let refusedKeys = [
        "deferStreamInterface": "leave it out: '@defer' and '@stream' are sent as the schema declares them",
        "enableTokenField": "leave it out: an object is fetched again by its identifier",
        "nonNodeIdFields": "leave it out: an 'id' of any type is accepted",
        "unselectableDirectiveName": "leave it out: every field of the schema may be selected",
    ]

    private typealias Names = WritableKeyPath<SchemaNames, String>

    private static var keys: [(String, Names)] {
        [
            ("nodeInterface", \.nodeInterface), ("nodeField", \.nodeField),
            ("nodeInterfaceIdField", \.nodeInterfaceIDField),
            ("nodeInterfaceIdVariableName", \.nodeInterfaceIDVariable),
        ]
    }

    private static var connectionKeys: [(String, Names)] {
        [
            ("cursor", \.cursor), ("edges", \.edges), ("endCursor", \.endCursor), ("hasNextPage", \.hasNextPage),
            ("hasPreviousPage", \.hasPreviousPage), ("node", \.node), ("pageInfo", \.pageInfo),
            ("startCursor", \.startCursor),
        ]
    }

    /// Reads an object of names. `other` reads the keys with other values, and returns whether it knows the key.
    private mutating func readNames(
        _ node: JSONNode, _ path: String, _ keys: [(key: String, name: Names)],
        other: (inout Self, JSONNode.Member) -> Bool = { _, _ in false }
    ) {
        guard case .object(let members) = node.value else {
            reportType(of: "'\(path)'", expected: "an object", node)
            return
        }
        for member in members {
            if other(&self, member) { continue }
            guard let name = keys.first(where: { $0.key == member.key })?.name else {
                let known = keys.map(\.key) + (path == "schemaConfig" ? ["connectionInterface"] : [])
                reportUnknownKey(member, among: known)
                continue
            }
            guard let text = string("'\(path).\(member.key)'", member.node) else { continue }
            if Self.isName(text) {
                configuration.schemaConfig[keyPath: name] = text
            } else {
                report(
                    .configurationValue, "'\(path).\(member.key)' must be a name of GraphQL, not '\(text)'",
                    at: member.node.span)
            }
        }
    }

    /// `Name`: letters, digits and underscores, without a digit at the beginning.
    static func isName(_ text: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool {
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
        }
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
    }
}
