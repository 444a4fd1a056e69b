import Baton
import Foundation
import TerminalRenderer

/// What the components share: the environment, the repository, the filter, and the way to the world outside.
@MainActor
final class Session {
    /// Where keys go.
    enum Focus: Hashable {
        case list, item, search, help, comment, label, author, reaction
    }

    /// What is known of an issue or pull request besides its data.
    struct Target: Hashable {
        let id: String
        let reference: FragmentReference<ItemRow_node>
    }

    /// An item or a comment, as something to read and to react to.
    struct Block: Hashable {
        let id: String
        let reference: FragmentReference<CommentBlock_comment>
    }

    let environment: RelayEnvironment
    let traffic: Traffic
    let repository: (owner: String, name: String)
    let now: @Sendable () -> Date
    let clock: any Clock<Duration>
    /// Writes escape sequences to the terminal.
    let write: @MainActor (String) -> Void
    /// The time after which what is shown is fetched again; nil for never. The schema has no subscriptions.
    let refreshInterval: Duration?
    weak var screen: Screen?

    var filter = Filter()
    var focus = Focus.list
    /// Grows when the person wants everything anew.
    var refreshes = 0
    /// The number of outages that are over.
    private(set) var outages = 0
    /// The selected item of the list.
    private(set) var target: Target?
    /// The selected block of the item: the item itself or one of its comments.
    var block: Block?
    /// The connection to which a new comment is added.
    var comments: String?
    /// Who is signed in.
    var viewer: (id: String, login: String)?
    /// The comment that was just sent, under its id until the answer.
    var sent: String?
    private var drafts: [String: TextInput] = [:]
    private(set) var notice: (text: String, isError: Bool)?
    private var noticeEnd: Task<Void, Never>?

    init(
        network: any NetworkLayer, repository: (owner: String, name: String), clock: some Clock<Duration>,
        refreshInterval: Duration? = nil, now: @escaping @Sendable () -> Date,
        write: @escaping @MainActor (String) -> Void
    ) {
        traffic = Traffic(network)
        // Failures are on the screen.
        environment = RelayEnvironment(network: traffic, clock: clock, log: { _ in })
        (self.repository, self.clock, self.now, self.write) = (repository, clock, now, write)
        self.refreshInterval = refreshInterval
        traffic.observe { [weak self] isOutage in
            Task { @MainActor in
                self?.screen?.needsDisplay()
                if isOutage { await self?.waitForReturn() }
            }
        }
    }

    func sleep(_ time: Duration) async throws { try await clock.sleep(for: time) }

    /// Selects an item. The one that a person reads or writes about stays selected, whatever becomes of the list.
    func select(_ target: Target?) {
        guard target != self.target, self.target == nil || ![.item, .comment, .reaction].contains(focus) else { return }
        self.target = target
        screen?.changed()
    }

    /// Asks now and then whether the service can be reached again, and has everything that failed fetched anew.
    private func waitForReturn() async {
        var pause = Duration.seconds(1)
        while traffic.state.outage != nil {
            guard (try? await sleep(pause)) != nil else { return }
            pause = min(pause * 2, .seconds(5))
            _ = try? await environment.fetch(StatusQuery())
        }
        outages += 1
        environment.networkReturned()
        show("The service can be reached again.")
    }

    /// Shows a line for some seconds.
    func show(_ text: String, isError: Bool = false) {
        notice = (text, isError)
        noticeEnd?.cancel()
        noticeEnd = Task {
            guard (try? await sleep(.seconds(isError ? 12 : 4))) != nil else { return }
            notice = nil
            screen?.changed()
        }
        screen?.changed()
    }

    /// The text that the person is writing about an item. It outlives the window in which it is written.
    func draft(for id: String) -> TextInput {
        let draft = drafts[id] ?? TextInput(hasLines: true)
        drafts[id] = draft
        return draft
    }

    /// Sends a mutation whose expected answer is shown meanwhile. If it fails, the change is taken back and said.
    func commit<Mutation: GraphQLMutation>(
        _ mutation: Mutation, expecting answer: JSONValue, done: String = "", failed: String,
        undo: @escaping @MainActor () -> Void = {}
    ) {
        notice = nil
        Task {
            do throws(RelayError) {
                let configuration = RequestConfiguration(errorPolicy: .failure)
                try await environment.commit(mutation, optimistic: .response(answer), configuration: configuration)
                if !done.isEmpty { show(done) }
            } catch {
                undo()
                show("\(failed) \(error.words)", isError: true)
            }
        }
    }

    /// Puts a text on the clipboard of the person's terminal (OSC 52), also over SSH.
    func copy(_ text: String) {
        write("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{07}")
        show("Copied \(text)")
    }

    /// Opens a page in the browser that `BROWSER` names, or that the system has.
    func browse(_ url: String) {
        #if os(macOS)
            let command = "open"
        #else
            let command = ProcessInfo.processInfo.environment["BROWSER"] ?? "xdg-open"
        #endif
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [command, url]
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.standardError = FileHandle.nullDevice
        process.terminationHandler = { process in
            guard process.terminationStatus != 0 else { return }
            Task { @MainActor [weak self] in self?.show("'\(command)' could not open \(url)", isError: true) }
        }
        let isStarted = (try? process.run()) != nil
        show(isStarted ? "Opened \(url)" : "'\(command)' cannot be started", isError: !isStarted)
    }
}
