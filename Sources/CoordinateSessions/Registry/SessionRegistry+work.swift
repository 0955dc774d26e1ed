internal import Coordinate

extension SessionRegistry {
    /// Wakes sessions in which something is due, and has them looked after. Called about once a second.
    func lookAfterWork() {
        caretaker.sweep()
        let vacancies = caretaker.vacancies
        guard vacancies.open > 0 else { return }
        // Those that are left alone are overdue, and come first.
        let limit = vacancies.open + vacancies.resting
        host.journal.leaseDue(by: host.clock.timestamp(), of: host.app.name, limit: limit).whenDone { result in
            guard case .success(let due) = result, !due.isEmpty else { return }
            let (willing, resting) = self.caretaker.willing(of: due)
            if !resting.isEmpty { self.host.journal.endLeases(of: resting) }
            for id in willing {
                self.findUnused(id).whenDone { result in
                    switch result {
                    case .success(let session): self.caretaker.lookAfter(session)
                    case .failure: self.host.journal.endLeases(of: [id])
                    }
                }
            }
        }
    }
}
