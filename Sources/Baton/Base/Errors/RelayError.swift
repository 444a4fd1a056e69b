/// The reason why a request or a read brought no data.
///
/// All layers use this one concrete type, so that a component can show and compare errors. A program decides by
/// ``kind``, of which there are a handful, and a version of Baton may add to them:
///
///     do throws(RelayError) {
///         try await environment.commit(mutation)
///     } catch let error where error.kind == .network {
///         offerToTryAgain()
///     } catch {
///         show("\(error)")
///     }
///
/// ``code`` is finer, and the details are properties: ``status``, ``retryAfter``, ``graphQLErrors``, ``fieldErrors``,
/// ``path`` and others. They are nil or empty where an error has nothing to say. ``description`` is for a developer,
/// and ends with ``advice``.
///
/// Every method that waits for a request throws this type. An error that another layer threw is held in a `RelayError`,
/// and ``underlying`` returns it: an error of the application, or `CancellationError` for a cancelled task. A network,
/// an interceptor or a mock of your own makes errors with the functions and properties of this type, such as
/// ``transport(_:)``, ``httpStatus(_:body:retryAfter:)``, ``noData(_:)`` and ``cancelled``.
///
/// Errors are equal if their codes and details are equal. Underlying errors are equal if their types and descriptions
/// are equal.
///
/// An error is one reference. Otherwise each task that may fail would keep room for the largest of them, and generated
/// code would copy it.
public struct RelayError: Error, Sendable, Equatable {
    /// What happened, for the modules of this package. Others see ``kind``, ``code`` and the details, so that a version
    /// may add a reason.
    package let reason: Reason

    package init(_ reason: Reason) { self.reason = reason }

    /// Each case stands beside a function or property of the same name that makes the error, and is explained there.
    package indirect enum Reason: Sendable {
        case transport(any Error)
        case httpStatus(Int, body: String, retryAfter: Duration?)
        case contentType(String?, body: String)
        case invalidResponse(RelayError.InvalidResponse)
        case noData([GraphQLError])
        case hasErrors([GraphQLError])
        case noResponse
        case timedOut(after: Duration)
        case configuration(String)
        case updater(any Error)
        case optimisticResponse(RelayError.InvalidResponse)
        case cancelled
        case variableTooDeep(operationName: String, variable: String, limit: Int)
        case foreignReference(fragment: String)
        case noReference(fragment: String)
        case notAsked(component: String)
        case notInStore(component: String)
        case missingNonNullField(path: [JSONValue.PathComponent], component: String)
        case missingRequiredField(path: [JSONValue.PathComponent], component: String)
        case fieldErrors([FieldError])
        case resultTooLarge(component: String, limit: Int)
    }
}

extension RelayError {
    /// The same as `description`.
    public var localizedDescription: String { description }

    /// Converts any error of a transport.
    init(wrapping error: any Error) {
        self =
            switch error {
            case let error as RelayError: error
            case is CancellationError: .cancelled
            case let error as RelayError.InvalidResponse: .invalidResponse(error)
            default: .transport(error)
            }
    }
}

extension RelayError.Reason: Equatable {
    /// Returns true if both have the same case and parts. Errors of other modules are compared by type and text.
    package static func == (left: RelayError.Reason, right: RelayError.Reason) -> Bool {
        switch (left, right) {
        case (.transport(let left), .transport(let right)), (.updater(let left), .updater(let right)):
            type(of: left) == type(of: right) && String(describing: left) == String(describing: right)
        case (.httpStatus(let left, let leftBody, let leftTime), .httpStatus(let right, let rightBody, let rightTime)):
            left == right && leftBody == rightBody && leftTime == rightTime
        case (.contentType(let left, let leftBody), .contentType(let right, let rightBody)):
            left == right && leftBody == rightBody
        case (.invalidResponse(let left), .invalidResponse(let right)): left == right
        case (.optimisticResponse(let left), .optimisticResponse(let right)): left == right
        case (.noData(let left), .noData(let right)), (.hasErrors(let left), .hasErrors(let right)): left == right
        case (.timedOut(let left), .timedOut(let right)): left == right
        case (.configuration(let left), .configuration(let right)): left == right
        case (.noResponse, .noResponse), (.cancelled, .cancelled): true
        case (
            .variableTooDeep(let left, let variable, let limit),
            .variableTooDeep(let right, let otherVariable, let otherLimit)
        ):
            left == right && variable == otherVariable && limit == otherLimit
        case (.foreignReference(let left), .foreignReference(let right)),
            (.noReference(let left), .noReference(let right)), (.notAsked(let left), .notAsked(let right)),
            (.notInStore(let left), .notInStore(let right)):
            left == right
        case (.missingRequiredField(let left, let component), .missingRequiredField(let right, let other)),
            (.missingNonNullField(let left, let component), .missingNonNullField(let right, let other)):
            left == right && component == other
        case (.fieldErrors(let left), .fieldErrors(let right)): left == right
        case (.resultTooLarge(let left, let limit), .resultTooLarge(let right, let other)):
            left == right && limit == other
        default: false
        }
    }
}
