import NIOCore
import NIOHTTPTypes

/// Closes a connection after a response that says `Connection: close`, once it was sent whole (RFC 9112, section 9.6).
final class ClosingConnections: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var isLast = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var promise = promise
        switch unwrapOutboundIn(data) {
        case .head(let head): isLast = head.headerFields[.connection] == "close"
        case .body: break
        case .end:
            guard isLast else { break }
            let end = promise ?? context.eventLoop.makePromise()
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            end.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
            promise = end
        }
        context.write(data, promise: promise)
    }
}
