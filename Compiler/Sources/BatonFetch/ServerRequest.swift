/// A POST with a body of JSON.
struct ServerRequest: Sendable {
    var address: ServerAddress
    var fields: [HeadField]
    var body: [UInt8]
    /// The longest time from the beginning to the last byte of the answer.
    var milliseconds: Int
    /// The path of a file with the certificates to trust; nil for those of the system.
    var authorities: String?
    /// The variable of the environment that names a proxy, for messages.
    var proxyVariable: String?
    var limits = Limits()

    /// What an answer may be at most, so that no server exhausts the memory.
    struct Limits: Hashable, Sendable {
        var head = 64 << 10
        /// The size of the body after it was inflated.
        var body = 64 << 20
    }

    /// The value of `Accept`, unless a field of the caller has another one.
    static let accept = "application/graphql-response+json, application/json;q=0.9"

    /// The lines of the head that are not the library's own.
    var lines: [String] {
        let isAcceptGiven = fields.contains { $0.name.lowercased() == "accept" }
        let accept = isAcceptGiven ? [] : ["Accept: \(Self.accept)"]
        return ["Content-Type: application/json"] + accept + fields.map(\.line)
    }
}

/// The answer to a request, whatever its status is.
struct ServerAnswer: Sendable {
    var status = 0
    /// The fields by their names in lower case; of several with a name, the last one.
    var fields: [String: String] = [:]
    var body: [UInt8] = []
}
