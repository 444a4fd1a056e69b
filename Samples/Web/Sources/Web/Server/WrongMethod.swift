import HTTPTypes

/// The failure of a request with a method that the address does not have.
struct WrongMethod: Error {
    let allowed: [HTTPRequest.Method]
}
