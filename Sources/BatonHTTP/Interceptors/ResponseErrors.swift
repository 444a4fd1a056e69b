import Baton

/// The parts of a response that a step can see without reading its data.
struct ResponseErrors {
    let errors: [GraphQLError]
    /// True unless `data` is null or missing.
    let hasData: Bool
    /// True if there is a member `data`, even if it is null.
    let hasDataMember: Bool
    /// True if there are errors that were not read, because they are too many or too long.
    let hasUnreadErrors: Bool
    /// True if there is a member `errors` that is not an empty list or null.
    let hasErrors: Bool

    /// The largest body that is read although it does not begin with its errors.
    static let smallBody = 16 << 10
    /// The largest list of errors that is read.
    private static let largestErrors = 256 << 10

    /// Reads a response that is likely to be a refusal: its body is small, or begins with its errors. Nil for other
    /// responses, and for bodies that are not GraphQL responses.
    init?(peekingAt body: [UInt8]) {
        guard body.count <= Self.smallBody || Self.beginsWithErrors(body) else { return nil }
        self.init(body)
    }

    /// Reads a response of any size, in one pass over its bytes. Nil for a body that is not a GraphQL response.
    init?(_ body: [UInt8]) {
        guard let members = try? JSONValue.members(of: body) else { return nil }
        guard members["data"] != nil || members["errors"] != nil else { return nil }
        hasDataMember = members["data"] != nil
        hasData = members["data"].map { !body[$0].elementsEqual("null".utf8) } ?? false
        guard let range = members["errors"] else {
            (errors, hasErrors, hasUnreadErrors) = ([], false, false)
            return
        }
        let text = body[range].prefix(16).filter { $0 > 0x20 }
        hasErrors = !text.elementsEqual("[]".utf8) && !text.elementsEqual("null".utf8)
        errors = range.count <= Self.largestErrors ? GraphQLError.sent(in: Array(body[range])) : []
        hasUnreadErrors = hasErrors && errors.isEmpty
    }

    private static func beginsWithErrors(_ body: [UInt8]) -> Bool {
        let start = body.prefix(64).filter { $0 > 0x20 }
        return start.starts(with: #"{"errors""#.utf8)
    }
}

extension GraphQLError {
    /// The member `code` of the error's extensions, which most servers send.
    var code: String? {
        if case .string(let code) = extensions?["code"] { code } else { nil }
    }
}
