import Baton

/// The elements of the components that a screen shows.
@MainActor
final class ComponentCache {
    private struct Entry {
        let component: any Component
        let number: Int
        let rendered: RenderedComponent<Int, any Element>
        var lastFrame: Int
    }

    private let environment: RelayEnvironment
    private let needsDisplay: @MainActor @Sendable () -> Void
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// Is told what happens to components.
    var onDrawing: (@MainActor (Screen.Drawing) -> Void)?
    /// The number of components so far.
    private var components = 0
    private var endings: [@MainActor (_ frame: Int) -> Bool] = []
    /// The number of inputs so far.
    private var inputs = 0
    /// The number of frames so far.
    private(set) var frames = 0

    init(in environment: RelayEnvironment, needsDisplay: @escaping @MainActor @Sendable () -> Void) {
        self.environment = environment
        self.needsDisplay = needsDisplay
    }

    /// The elements of a component: those that are kept, or new ones.
    func content(of component: any Component) -> any Element {
        let id = ObjectIdentifier(component)
        var entry = entries[id] ?? entry(of: component)
        entry.lastFrame = frames
        entries[id] = entry
        return entry.rendered.frame(inputs, on: MainActor.shared) { [weak self, number = entry.number] in
            self?.onDrawing?(.told(number))
            self?.needsDisplay()
        }
    }

    private func entry(of component: any Component) -> Entry {
        let number = nextComponent()
        let label = "\(type(of: component))"
        let rendered = RenderedComponent<Int, any Element>(in: environment, label: label) { [weak self] _ in
            MainActor.assumeIsolated { self?.onDrawing?(.drawn(number)) }
            return component.contentOnMainActor
        }
        return Entry(component: component, number: number, rendered: rendered, lastFrame: frames)
    }

    /// A number that no other component has.
    func nextComponent() -> Int {
        components += 1
        return components
    }

    /// Notes an input, after which every component is asked again.
    func noteInput() { inputs += 1 }

    /// Asks every component again, after a change that is no input.
    func changed() {
        noteInput()
        needsDisplay()
    }

    func beginFrame() { frames += 1 }

    /// Forgets components that the frame has not shown.
    func endFrame() {
        entries = entries.filter { $0.value.lastFrame == frames }
        endings = endings.filter { $0(frames) }
    }

    /// Calls a closure at the end of each frame, until it returns false.
    func atEndOfFrame(_ ending: @escaping @MainActor (Int) -> Bool) { endings.append(ending) }
}

extension Component {
    /// The content, for a closure that is called on the main actor only.
    nonisolated fileprivate var contentOnMainActor: any Element { MainActor.assumeIsolated { content } }
}
