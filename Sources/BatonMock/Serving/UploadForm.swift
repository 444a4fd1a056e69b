import Baton
import BatonHTTP

/// A request with files, which a world sees by their names, types and sizes.
///
/// The value of a file's variable is an object: `{"filename": "a.png", "mimetype": "image/png", "size": 2048}`. The
/// bytes themselves are counted and forgotten.
///
/// Specification: https://github.com/jaydenseric/graphql-multipart-request-spec
struct UploadForm {
    /// What the part `operations` has, with the facts of the files at their places.
    private(set) var operations: JSONValue

    /// The number of places that the files of a form may have.
    static let mostPlaces = 1_000
    /// The number of names on the way to a place.
    private static let mostNames = 32

    init(_ request: ReceivedRequest) throws(HTTPProblem) {
        let type = AcceptedTypes(request.headers["Content-Type"]).entries.first
        let form = try FormParts(request.body, boundary: type?.parameters["boundary"] ?? "")
        operations = try Self.json("operations", form, request)
        guard case .object(let files) = try Self.json("map", form, request) else { throw Self.wrongMap }
        var places = 0
        for file in files {
            guard let part = form.parts[file.name] else {
                throw HTTPProblem(
                    400, "The part 'map' names the file '\(file.name.prefix(40))', which the form does not have.")
            }
            let facts = Self.facts(of: part, named: file.name)
            guard case .array(let paths) = file.value else { throw Self.wrongMap }
            for path in paths {
                places += 1
                guard places <= Self.mostPlaces else {
                    throw HTTPProblem(400, "The part 'map' names more than \(Self.mostPlaces) places.")
                }
                guard case .string(let text) = path else { throw Self.wrongMap }
                let names = text.split(separator: ".", omittingEmptySubsequences: false)
                guard (1...Self.mostNames).contains(names.count), Self.set(facts, at: names[...], in: &operations)
                else {
                    throw HTTPProblem(
                        400,
                        "The part 'map' names the place '\(text.prefix(80))', where the operations have no 'null'.")
                }
            }
        }
    }

    private static let wrongMap = HTTPProblem(
        400, #"The part 'map' is an object with the places of each file, such as {"0": ["variables.file"]}."#)

    /// What a world sees of a file.
    private static func facts(of part: FormParts.Part, named name: String) -> JSONValue {
        [
            "filename": .string(part.fileName ?? name), "mimetype": .string(part.type ?? "application/octet-stream"),
            "size": .int(part.content.count),
        ]
    }

    private static func json(
        _ name: String, _ form: FormParts, _ request: ReceivedRequest
    ) throws(HTTPProblem) -> JSONValue {
        guard let part = form.parts[name], let json = try? JSONValue.parse(Array(request.body[part.content])) else {
            throw HTTPProblem(400, "A form has a part '\(name)' with JSON before its files.")
        }
        return json
    }

    /// Sets a value in place of a null; false if there is none at the place.
    private static func set(_ value: JSONValue, at names: ArraySlice<Substring>, in json: inout JSONValue) -> Bool {
        guard let name = names.first else {
            guard json == .null else { return false }
            json = value
            return true
        }
        switch json {
        case .object(var members):
            guard let index = members.firstIndex(where: { $0.name == name }) else { return false }
            guard set(value, at: names.dropFirst(), in: &members[index].value) else { return false }
            json = .object(members)
            return true
        case .array(var items):
            guard let index = Int(name), items.indices.contains(index) else { return false }
            guard set(value, at: names.dropFirst(), in: &items[index]) else { return false }
            json = .array(items)
            return true
        default: return false
        }
    }
}
