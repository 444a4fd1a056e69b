import Baton
import Testing

@Suite("Captured answers in the store", .enabled(if: Capture.folder != nil, "the captures of servers are not there"))
struct CapturedStoreTests {
    @Test("every captured answer is stored and read with its data and errors")
    func everyCapturedAnswerIsStoredAndRead() throws {
        var counts: [String: Int] = [:]
        for capture in try Capture.all() where capture.expectedOutcome == "answer" {
            let kind = try check(capture)
            counts[kind, default: 0] += 1
        }
        for kind in ["data", "data and errors", "errors", "no response"] {
            #expect(counts[kind, default: 0] > 1, "\(counts)")
        }
    }

    /// Writes the response with a plan that is made from the response, and returns the kind of the response.
    private func check(_ capture: Capture) throws -> String {
        let json = try JSONValue.parse(capture.body)
        let data = json["data"]
        var plan = Shape()
        if case .object? = data { plan.add(data ?? .null) }
        let artifact = GeneratedCode.OperationArtifact(
            name: "Captured",
            kind: .query,
            text: "",
            normalization: plan.selections,
            reader: plan.selections
        )
        let store = Store()
        let operation = store.bind(artifact, variables: .object([]))
        guard json["data"] != nil || json["errors"] != nil else {
            #expect(throws: RelayError.InvalidResponse(.notAResponse), "\(capture.name)") {
                try store.normalize(capture.body, for: operation)
            }
            return "no response"
        }
        let staged = try store.normalize(capture.body, for: operation)
        var messages: [String] = []
        if case .array(let errors)? = json["errors"] {
            messages = errors.map { error in
                if case .string(let text)? = error["message"] { return text }
                if case .string(let text) = error { return text }
                return "?"
            }
        }
        #expect(staged.errors.map(\.message) == messages, "\(capture.name)")
        guard case .object? = data else {
            #expect(staged.presence == (data == nil ? .absent : .null), "\(capture.name)")
            return "errors"
        }
        #expect(staged.presence == .object, "\(capture.name)")
        store.publish(staged, for: operation)
        #expect(store.json(of: operation) == Shape.readable(data ?? .null), "\(capture.name)")
        #expect(store.publish(try store.normalize(capture.body, for: operation), for: operation).recordsChanged == 0)
        return messages.isEmpty ? "data" : "data and errors"
    }
}

/// The form of a value: the type and the selections of a plan.
private struct Shape {
    private var scalar = "String"
    private var isList = false
    private var fields: [(name: String, shape: Shape)] = []
    private var items: [Shape] = []

    /// Adds the fields of a value to the known fields, so that all items of a list have one shape.
    mutating func add(_ value: JSONValue) {
        switch value {
        case .null: break
        case .bool: scalar = "Boolean"
        case .int: if scalar != "Float" { scalar = "Int" }
        case .double: scalar = "Float"
        case .string: scalar = "String"
        case .array(let values):
            isList = true
            if items.isEmpty { items = [Shape()] }
            for value in values { items[0].add(value) }
        case .object(let members):
            scalar = "T"
            for member in members where member.name != "__typename" {
                let index = fields.firstIndex { $0.name == member.name } ?? fields.count
                if index == fields.count { fields.append((member.name, Shape())) }
                fields[index].shape.add(member.value)
            }
        }
    }

    var selections: String { "{\(fields.map { "\($0.name):\($0.shape.text)" }.joined(separator: " "))}" }

    private var text: String { type + innermostSelections }
    private var type: String { isList ? "[\(items.first?.type ?? "String")]" : scalar }
    private var innermostSelections: String {
        isList ? items.first?.innermostSelections ?? "" : scalar == "T" ? selections : ""
    }

    /// The value without members that a plan cannot select.
    static func readable(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let values): .array(values.map(readable))
        case .object(let members):
            .object(members.filter { $0.name != "__typename" }.map { .init($0.name, readable($0.value)) })
        default: value
        }
    }
}
