extension JSONCursor {
    /// Moves to the value of the `id` in an object whose only expected field is the ID; skips a leading `__typename`.
    /// Otherwise returns false and stays.
    @inline(__always)
    mutating func skipToLink(_ state: NodeStates.State) -> Bool {
        guard next == 0x7B else { return false }
        let id = state.pointee.fields[0]
        var ahead = self
        ahead.position &+= 1
        ahead.skipSpace()
        if let name = ahead.startOfTypename(at: ahead.position) {
            guard ahead.isTypename(name, of: state) else { return false }
            ahead.position = name &+ state.pointee.typename.count
            ahead.skipSpace()
            guard ahead.next == 0x2C else { return false }
            ahead.position &+= 1
            ahead.skipSpace()
        } else if state.pointee.needsTypename {
            return false
        }
        guard id.isKey(at: ahead.position, of: ahead) else { return false }
        ahead.position &+= id.pointee.keyLength
        ahead.skipSpace()
        self = ahead
        return true
    }
}
