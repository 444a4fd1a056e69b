import RandomCases
import Testing

@testable import Baton

/// The normalizer compared with `NormalizerModel`: random plans and random answers of a server that changes, in any
/// spelling, read early and published late.
@Suite struct NormalizerModelTests {
    static func artifact(_ plan: String) -> GeneratedCode.OperationArtifact {
        GeneratedCode.OperationArtifact(
            name: "R", kind: .query, text: "", normalization: plan, reader: "{}",
            scalars: [GeneratedCode.ScalarDecoder("Date", Day.self)])
    }

    /// A data ID function that chooses identities for some objects.
    @Sendable private static func chosenID(_ type: TypeName, _ fields: DataID.Fields) -> DataID? {
        guard case .string(let id)? = fields["id"], type != "B", id != "1" else { return nil }
        return DataID("\(type)/\(id)")
    }

    /// A staged answer that is published later.
    struct Early {
        let response: StagedResponse
        let operation: BoundOperation
        let data: JSONValue
        let plan: SelectionPlan
        let variables: VariableValues
    }

    @Test(arguments: RandomCases.seeds(6)) func theStoreHoldsWhatTheModelHolds(_ seed: Int) throws {
        var server = RandomServer(seed: UInt64(seed))
        let custom: DataID.Function? = seed % 4 == 3 ? Self.chosenID : nil
        let store = Store(dataID: custom)
        var model = NormalizerModel()
        model.dataID = custom
        let artifacts = (0..<3).map { _ in Self.artifact(server.plan()) }
        var written = 0
        for step in 0..<20 {
            for _ in 0..<(server.chance(50) ? 2 : 0) { server.change() }
            if server.chance(20) { try change(store, &model, &server) }
            var early: [Early] = []
            for _ in 0..<Int.random(in: 1...3, using: &server.generator) {
                let artifact = artifacts[Int.random(in: 0..<3, using: &server.generator)]
                let plan = try artifact.normalization.plan.get()
                var members: [JSONValue.Member] = [.init("on", .bool(server.chance(50)))]
                if server.chance(20) { members.append(.init("n", server.chance(50) ? 1 : .null)) }
                let sent = JSONValue.object(members)
                let variables = VariableValues(sent: sent, declared: plan.variables)
                let answer = server.answer(plan, variables)
                let operation = store.bind(artifact, variables: sent)
                let (body, data) = server.spelling(of: answer, isOdd: server.chance(30))
                let response = try store.normalize(body, for: operation)
                early.append(
                    .init(response: response, operation: operation, data: data, plan: plan, variables: variables))
                if server.chance(20) { try change(store, &model, &server) }
            }
            for answer in early {
                let changed = model.write(answer.data, answer.plan, answer.variables)
                let summary = store.publish(answer.response, for: answer.operation)
                written += changed.count
                #expect(summary.recordsChanged == changed.count, "seed \(seed), step \(step)")
                let (ours, theirs) = (Set(store.dump().split(separator: "\n")), Set(model.dump.split(separator: "\n")))
                guard ours == theirs else {
                    Issue.record(
                        "seed \(seed), step \(step): only here \(ours.subtracting(theirs).sorted()), only in the model \(theirs.subtracting(ours).sorted())"
                    )
                    return
                }
            }
        }
        #expect(written > 0)
    }

    /// Changes the store by something other than a response: deletes a record, changes fields, or sets an `id` that
    /// differs from the data ID.
    private func change(_ store: Store, _ model: inout NormalizerModel, _ server: inout RandomServer) throws {
        let ids = model.records.keys.filter { $0 != "client:root" && !$0.hasPrefix("client:") }.sorted()
        guard let id = ids.randomElement(using: &server.generator) else { return }
        switch Int.random(in: 0..<6, using: &server.generator) {
        case 0:
            try store.update { records in try records.delete(DataID(id)) }
            model.delete(id)
        case 1:
            try store.update { try $0.get(DataID(id))?.setValue("other", forField: "id") }
            model.set("other", "id", of: id)
        default:
            try store.update { try $0.get(DataID(id))?.setValue(7, forField: "i") }
            model.set(7, "i", of: id)
        }
    }
}
