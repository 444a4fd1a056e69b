import Baton
import BatonTesting

/// Counts what is sent for one operation, and notes it at the end.
struct RequestMeasure {
    private let transport: String
    private let operation: String
    private let variables: String
    private let start = Uptime.microseconds
    private var messages = 0
    private var bytes = 0
    private var first = ""

    init(
        _ transport: String, _ call: GraphQLCall, _ operation: World.ServedOperation?, _ responder: Responder
    ) {
        self.transport = transport
        let name = operation?.name ?? call.operationName
        self.operation = [operation?.kind.rawValue ?? "", String((name ?? "").prefix(100))].joined(separator: " ")
        variables = Self.cut(responder.shownVariables(of: call).jsonBytes)
    }

    mutating func count(_ payload: [UInt8]) {
        if messages == 0 { first = Self.cut(payload) }
        messages += 1
        bytes += payload.count
    }

    func entry(status: Int) -> RequestLog.Entry {
        RequestLog.Entry(
            transport: transport, operation: operation, variables: variables, status: status, messages: messages,
            bytes: bytes, microseconds: Uptime.microseconds - start, answer: first)
    }

    private static func cut(_ text: [UInt8]) -> String {
        String(decoding: text.prefix(500), as: UTF8.self) + (text.count > 500 ? "..." : "")
    }
}
