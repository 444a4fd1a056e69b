import Baton
import BatonSchema
import BatonTesting
import Foundation
import Synchronization

/// A server that executes texts in a world.
package protocol AnswerServer: Sendable {
    /// The payloads of the response to a request, in order. There is one payload unless parts arrive later. `sdl` is
    /// the text of the schema.
    func answer(to text: String, _ variables: JSONValue, in world: World, sdl: String) throws -> [JSONValue]
}

/// Executes texts inside this process: in one piece, which the specification allows, or in parts of one of the formats.
package struct LocalAnswerServer: AnswerServer {
    package init() {}

    package func answer(to text: String, _ variables: JSONValue, in world: World, sdl: String) throws -> [JSONValue] {
        var resolvers = LocalResolvers()
        for type in world.schema.types where type.kind == .object && !type.name.hasPrefix("__") {
            for field in type.fields where !field.name.hasPrefix("__") && !field.isClientOnly {
                resolvers.field(type.name, field.name, of: World.Object.self) { object, context in
                    let arguments = context.arguments.names.map { name in
                        JSONValue.Member(name, context.arguments[name] ?? .null)
                    }
                    return Self.resolved(world.value(of: field, on: object, arguments))
                }
            }
        }
        let formats: [LocalService.IncrementalFormat?] = [nil, .announced, .labelled]
        let service = try LocalService(
            schema: sdl + Self.directives, resolvers: resolvers, root: World.Object(identity: "Q", typeName: "Query"),
            incremental: formats[text.utf8.count % formats.count])
        return service.executeInParts(text, variables: variables)
    }

    private static let directives = """
        directive @defer(label: String, if: Boolean! = true) on FRAGMENT_SPREAD | INLINE_FRAGMENT
        directive @stream(label: String, if: Boolean! = true, initialCount: Int = 0) on FIELD
        """

    private static func resolved(_ value: World.Value) -> (any Sendable)? {
        switch value {
        case .null: nil
        case .error: LocalError("no value")
        case .leaf(let json): json
        case .object(let object): LocalObject(object.typeName, object)
        case .list(let items): items.map { resolved($0) }
        }
    }
}

/// Executes texts with graphql-core in a child process, one request after the other.
///
/// A request and the list of the payloads of its response are one line of JSON each.
package final class ChildAnswerServer: AnswerServer {
    private let child: Mutex<Child>

    private struct Child {
        let process: Process
        let input: FileHandle
        let output: FileHandle
        var rest: [UInt8] = []
    }

    /// The child process has ended, or has written other texts than JSON.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Starts a program with arguments.
    package init(_ command: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        child = Mutex(
            Child(process: process, input: input.fileHandleForWriting, output: output.fileHandleForReading))
    }

    deinit {
        child.withLock { child in
            try? child.input.close()
            child.process.waitUntilExit()
        }
    }

    package func answer(to text: String, _ variables: JSONValue, in world: World, sdl: String) throws -> [JSONValue] {
        let request: JSONValue = [
            "schema": .string(sdl), "text": .string(text), "variables": variables, "hasErrors": .bool(world.hasErrors),
        ]
        return try child.withLock { child in
            try child.input.write(contentsOf: Data(request.jsonBytes + [UInt8(ascii: "\n")]))
            while true {
                if let end = child.rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = Array(child.rest[..<end])
                    child.rest.removeSubrange(...end)
                    guard case .array(let payloads) = try JSONValue.parse(line) else {
                        throw Failure(description: "a response is not a list of payloads")
                    }
                    return payloads
                }
                let more = child.output.availableData
                if more.isEmpty { throw Failure(description: "the server has ended") }
                child.rest += more
            }
        }
    }
}
