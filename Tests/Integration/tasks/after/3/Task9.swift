import Baton
import Films

func markSeen(_ film: String, in environment: RelayEnvironment) throws -> Bool {
    try environment.update { store -> Bool in
        guard let record = store.get("Film", id: film) else { return false }
        try record.setValue(.bool(true), forField: "seen")
        return true
    }
}

func tryTitle(
    _ title: String, film: String, in environment: RelayEnvironment, until: @Sendable () async -> Void
) async {
    let preview = environment.applyUpdate { store in
        guard let record = store.get("Film", id: film) else { return }
        try record.setValue(.string(title), forField: "title")
    }
    await until()
    preview.revert()
}
