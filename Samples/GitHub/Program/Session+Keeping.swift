import TerminalRenderer

extension Session {
    /// Takes what an earlier use of the program has kept, and returns what is to be told of it.
    func takeKeptWork() -> String? {
        guard let file else { return nil }
        do {
            let work = try file.read()
            filter = work.filter
            writing.restore(work.drafts)
            let count = work.drafts.count
            guard count > 0 else { return nil }
            return "Not sent yet: your text\(count == 1 ? "" : "s") about \(work.drafts.numbers). c there has it again."
        } catch {
            return "What was kept of the last time cannot be read. It is now in \(file.putAside())"
        }
    }

    /// Keeps the work half a second after it has changed. Runs in each frame.
    func keepSoon() {
        guard file != nil, keeping == nil, work != kept else { return }
        keeping = Task { [weak self] in
            try? await self?.screen?.pause(for: .milliseconds(500))
            self?.keeping = nil
            self?.keep()
        }
    }

    /// Keeps the work at once.
    func keep() {
        guard let file, work != kept else { return }
        let now = work
        do {
            try file.write(now)
            (kept, keepFailure) = (now, nil)
        } catch {
            // Each change tries again, and the failure is told once.
            if keepFailure == nil { show("Your texts cannot be kept on this computer.", isError: true) }
            (kept, keepFailure) = (now, "\(error)")
        }
    }

    var work: Work { Work(filter: filter, drafts: writing.unsent) }

    /// Ends the program; asks before, if there is a text that the service may not have.
    func quit() {
        if writing.unsent.isEmpty { screen?.quit() } else { open(.quit) }
    }
}

/// The window that asks before the program ends.
@MainActor
enum QuitWindow {
    static func draw(_ session: Session) -> any Element {
        let unsent = session.writing.unsent
        let state = session.writing.isSending ? "On its way, or not sent" : "Not sent"
        let isKept = session.file != nil && session.keepFailure == nil
        let fate = isKept ? "What you wrote is kept on this computer." : "What you wrote will be lost."
        return Box("Quit", footer: "enter quits  esc stays", isFocused: true) {
            Text("\(state): your text about \(unsent.numbers).").wrapped
            Text(fate, isKept ? .plain : .color(.red)).wrapped
        }
        .limited(width: 60)
        .onKey { key in
            guard [.enter, .character("q")].contains(key) else { return false }
            session.screen?.quit()
            return true
        }
    }
}
