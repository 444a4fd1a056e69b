#if canImport(Darwin)
    import BatonDiagnostics
    import Foundation

    /// Sends one request over a URL session of its own, and waits for the answer.
    ///
    /// The session stops at the time limit, whatever the server does, and follows no redirects. The system's settings
    /// name the proxy.
    final class URLSessionClient: NSObject, URLSessionDataDelegate, @unchecked Sendable {
        // The delegate's queue runs one operation at a time, and `send` reads after its end.
        private let limits: ServerRequest.Limits
        private let isOver = DispatchSemaphore(value: 0)
        private var answer = ServerAnswer()
        private var failure: FetchFailure?
        private var error: (any Error)?

        private init(_ limits: ServerRequest.Limits) {
            self.limits = limits
        }

        static func send(_ request: ServerRequest) throws(FetchFailure) -> ServerAnswer {
            guard request.authorities == nil else {
                throw FetchFailure(
                    "'--authorities' has no effect on this system: trust the certificate in its keychain")
            }
            guard let url = URL(string: request.address.text) else {
                throw FetchFailure("'\(request.address.displayed)' is no URL of a server")
            }
            let seconds = Double(request.milliseconds) / 1_000
            let settings = URLSessionConfiguration.ephemeral
            settings.timeoutIntervalForResource = seconds
            settings.timeoutIntervalForRequest = seconds
            settings.httpCookieStorage = nil
            settings.urlCache = nil
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            let client = URLSessionClient(request.limits)
            let session = URLSession(configuration: settings, delegate: client, delegateQueue: queue)
            defer { session.invalidateAndCancel() }
            var sent = URLRequest(url: url)
            sent.httpMethod = "POST"
            sent.httpBody = Data(request.body)
            for line in request.lines {
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { continue }
                sent.setValue(parts[1].trimmingCharacters(in: .whitespaces), forHTTPHeaderField: String(parts[0]))
            }
            session.dataTask(with: sent).resume()
            client.isOver.wait()
            if let failure = client.failure { throw failure }
            if let error = client.error { throw .make(error, isAnswered: client.answer.status != 0, request) }
            return client.answer
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            if let response = response as? HTTPURLResponse {
                answer.status = response.statusCode
                for (name, value) in response.allHeaderFields {
                    answer.fields["\(name)".lowercased()] = "\(value)"
                }
            }
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            guard answer.body.count + data.count <= limits.body else {
                failure = failure ?? FetchFailure("the answer is larger than \(limits.body >> 20) MB")
                dataTask.cancel()
                return
            }
            answer.body += data
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            self.error = error
            isOver.signal()
        }
    }

    extension FetchFailure {
        fileprivate static func make(
            _ error: any Error, isAnswered: Bool, _ request: ServerRequest
        ) -> FetchFailure {
            let reason = error.localizedDescription.printable
            let server = "'\(request.address.displayed)'"
            switch (error as? URLError)?.code {
            case .timedOut:
                return FetchFailure(
                    "\(server) did not answer in time", suggestion: "'--timeout' allows more seconds",
                    isTransient: true)
            case .cannotFindHost, .dnsLookupFailed:
                return FetchFailure("the name of the server is not found (\(reason))", isTransient: true)
            case .cannotConnectToHost: return FetchFailure("no connection to \(server) (\(reason))", isTransient: true)
            case .networkConnectionLost:
                let text = isAnswered ? "the answer breaks off" : "\(server) closed the connection"
                return FetchFailure("\(text) (\(reason))", isTransient: true)
            case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
                .serverCertificateNotYetValid:
                return FetchFailure("the certificate of \(server) is not trusted (\(reason))")
            default: return FetchFailure("\(server) cannot be asked (\(reason))")
            }
        }
    }
#endif
