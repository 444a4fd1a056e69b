import BatonCompiler
import BatonDiagnostics
import BatonProject
import BatonSyntax

/// The request `baton/sentText`: the text that is sent for the operation at a place, or for the operation of a name.
enum SentText {
    static func text(_ server: LanguageServer, _ input: RequestInput) throws(ResponseError) -> JSONValue {
        let (path, _) = try server.file(input)
        guard let view = server.project(of: path)?.view, let compilation = view.compilation else {
            throw .failed("the document is in no project")
        }
        let name: String
        if let given = input.parameters["name"]?.string {
            name = given
        } else {
            guard let site = try server.site(input) else { throw .failed("there is no operation here") }
            let definition = try site.reader().definitions.last { $0.start <= site.pieceOffset }
            guard let definition, definition.kind != .fragment, let own = definition.name else {
                throw .failed("there is no operation with a name here")
            }
            name = own
        }
        guard view.index.operations[name] != nil else { throw .failed("there is no operation '\(name)'") }
        if view.compiler.hasErrors { throw .failed("nothing is sent as long as the project has errors") }
        let (texts, found) = compilation.operationTexts(named: [name])
        guard let text = texts.first(where: { $0.name == name }) else {
            throw .failed(found.first { $0.severity == .error }?.message ?? nothing(name, compilation))
        }
        return ["name": .string(text.name), "kind": .string(text.kind.rawValue), "text": .string(text.text)]
    }

    private static func nothing(_ name: String, _ compilation: Compilation) -> String {
        let isUpdatable = compilation.updatableQueries.contains(name)
        return "nothing is sent for '\(name)': "
            + (isUpdatable ? "'@updatable' reads and writes the store alone" : "the server has none of its fields")
    }
}
