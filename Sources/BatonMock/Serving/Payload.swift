import Baton

/// One message of an answer, as bytes.
struct Payload: Sendable, Equatable {
    /// A longer one is refused.
    static let longest = 32 << 20

    let bytes: [UInt8]
    /// False if the operation could not be executed.
    let hasData: Bool
    /// What a large payload takes of the budget until it was sent.
    private let holding: MemoryBudget.Holding?

    init(_ json: JSONValue, _ budget: MemoryBudget) {
        let bytes = json.jsonBytes
        guard bytes.count > MemoryBudget.free else {
            self.init(bytes, hasData: json["data"] != nil, nil)
            return
        }
        guard bytes.count <= Self.longest else {
            self.init(refusal: "The answer has \(bytes.count) bytes, more than \(Self.longest). Select less.")
            return
        }
        guard let holding = budget.hold(bytes.count) else {
            self.init(refusal: "Too many large answers wait for their readers. Read those first.")
            return
        }
        self.init(bytes, hasData: json["data"] != nil, holding)
    }

    /// A message as a server has written it.
    init(_ bytes: [UInt8], _ budget: MemoryBudget) {
        let hasData = (try? JSONValue.parse(bytes)).map { $0["data"] != nil || $0["errors"] == nil } ?? false
        let holding = bytes.count > MemoryBudget.free ? budget.hold(bytes.count) : nil
        guard bytes.count <= Self.longest, holding != nil || bytes.count <= MemoryBudget.free else {
            self.init(refusal: "The answer has \(bytes.count) bytes, for which there is no room now.")
            return
        }
        self.init(bytes, hasData: hasData, holding)
    }

    /// The answer that a client has ordered to be wrong.
    init(error message: String) {
        let json: JSONValue = ["errors": [["message": .string(message)]], "data": nil]
        self.init(json.jsonBytes, hasData: true, nil)
    }

    /// An answer that says why there is none.
    init(refusal message: String) {
        let json: JSONValue = ["errors": [["message": .string(message)]]]
        self.init(json.jsonBytes, hasData: false, nil)
    }

    private init(_ bytes: [UInt8], hasData: Bool, _ holding: MemoryBudget.Holding?) {
        self.bytes = bytes
        self.hasData = hasData
        self.holding = holding
    }

    /// The errors of a payload without data, as JSON.
    var errors: JSONValue { (try? JSONValue.parse(bytes))?["errors"] ?? [] }

    static func == (left: Payload, right: Payload) -> Bool {
        left.bytes == right.bytes && left.hasData == right.hasData
    }
}
