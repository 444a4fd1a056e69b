import BatonCompiler

/// The parameters of a request.
struct RequestInput {
    let id: JSONValue
    let parameters: JSONValue

    var uri: DocumentURI? { parameters.at("textDocument", "uri")?.string.map { DocumentURI($0) } }

    func position() throws(ResponseError) -> TextPosition {
        guard let position = TextPosition(parameters["position"]) else {
            throw .invalidParameters("'position' has a 'line' and a 'character'")
        }
        return position
    }
}
