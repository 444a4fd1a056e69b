extension GeneratedCode {
    /// The data of a response as a value that can be made by hand: the object under `data`, including the fields of
    /// fragments.
    public protocol RawResponse<Operation>: Sendable {
        /// The operation of the response.
        associatedtype Operation: GraphQLOperation

        /// The object under `data`.
        var jsonValue: JSONValue { get }
    }
}

extension GeneratedCode {
    /// An operation with `@raw_response_type`, for which a type of the whole response is generated.
    public protocol OperationWithRawResponse: GraphQLOperation {
        /// The data of a response as a value that can be made by hand.
        associatedtype RawResponse: GeneratedCode.RawResponse where RawResponse.Operation == Self
    }
}
