// The search for the connections that a wrong name may mean.

extension Records {
    /// The greatest number of connections that are compared.
    private static let mostConnections = 1000

    /// Returns the existing connections that are most like one that does not exist; at most five.
    ///
    /// Connections of the same record with the same key and other filters come first, then those of other records with
    /// the key, then those with keys of similar spelling. Returns none if the identity is not that of a connection.
    /// Takes time linear in the records if there are connections.
    func connections(near id: DataID, _ names: NameTable) -> [DataID] {
        guard let wanted = ConnectionIdentity(id) else { return [] }
        var texts: [StorageKeyID: String?] = [:]
        func connectionKey(_ key: StorageKeyID) -> String? {
            if let known = texts[key] { return known }
            let text = StorageKey(names.name(of: key)).connectionKey
            texts.updateValue(text, forKey: key)
            return text
        }
        let owners = records { connectionKey($0) != nil }
        var found: [(key: String, isOfParent: Bool, id: DataID)] = []
        for owner in owners.prefix(Self.mostConnections) {
            for (key, value) in zip(shape(of: owner).keys, values(of: owner)) {
                guard let name = connectionKey(key), case .link(let target) = value, state(of: target) == .existing
                else {
                    continue
                }
                let isOfParent = DataID.connection(on: names.dataID(of: owner), key: "").parent == wanted.parent
                found.append((name, isOfParent, names.dataID(of: target)))
            }
        }
        let same = found.filter { $0.key == wanted.key }
        let near = wanted.key.nearest(in: found.map(\.key))
        let chosen = same.isEmpty ? found.filter { near.contains($0.key) } : same
        return chosen.filter { $0.id != id }
            .sorted { ($0.isOfParent ? 0 : 1, $0.id.rawValue) < ($1.isOfParent ? 0 : 1, $1.id.rawValue) }
            .prefix(5).map(\.id)
    }
}

/// The parts of the identity of a connection.
private struct ConnectionIdentity {
    let parent: Substring
    let key: String

    /// The greatest length of an identity in bytes.
    private static let longest = 2048

    /// Takes an identity apart; nil if it is not that of a connection.
    init?(_ id: DataID) {
        let text = id.rawValue
        // The search for the last part takes time that grows with the square of the length, and a server may have sent
        // the text.
        guard text.utf8.count <= Self.longest, text.hasPrefix("client:") else { return nil }
        var start = text.startIndex
        while let colon = text[start...].firstIndex(of: ":") {
            start = text.index(after: colon)
            // The key of `@connection` has no colon, so a text with a colon is not the last part.
            let rest = StorageKey(String(text[start...]))
            guard let key = rest.connectionKey, !key.contains(":") else { continue }
            parent = text[..<colon]
            self.key = key
            return
        }
        return nil
    }
}

extension DataID {
    /// True for the identity of a connection that the client keeps.
    var isConnection: Bool { ConnectionIdentity(self) != nil }

    /// The identity before the last part of a connection's identity.
    fileprivate var parent: Substring? { ConnectionIdentity(self)?.parent }
}

extension StorageKey {
    /// The key of `@connection`, if the storage key is that of a connection that the client keeps.
    fileprivate var connectionKey: String? {
        let name = rawValue.prefix { $0 != "(" }
        guard name.hasPrefix("__"), name.hasSuffix("_connection"), name.utf8.count >= 13 else { return nil }
        return String(name.dropFirst(2).dropLast("_connection".count))
    }
}
