package import CoreMetrics
internal import MicroHTTPD
internal import Synchronization

/// Reports the server's metrics to a backend of swift-metrics, under the names that `GET /metrics` has.
///
/// A gauge and a counter report what they are when the server looks after its sessions, about once a second. Requests
/// are recorded one by one, by the thread that served them.
package final class MetricsExport: Sendable {
    private let factory: any MetricsFactory
    private let reported = Mutex(Reported())

    /// The values reported to the backend so far, by name and labels.
    private struct Reported {
        var gauges: [String: Gauge] = [:]
        var counters: [String: (counter: Counter, last: Int)] = [:]
        var sums: [String: (counter: FloatingPointCounter, last: Double)] = [:]
    }

    package init(to factory: any MetricsFactory) {
        self.factory = factory
    }

    /// The export to the backend that the program gave `MetricsSystem`; `nil` if it gave none.
    package static var ofProcess: MetricsExport? {
        MetricsSystem.factory is NOOPMetricsHandler ? nil : MetricsExport(to: MetricsSystem.factory)
    }

    /// Reports the metrics as they are now.
    func report(_ metrics: [Metric]) {
        reported.withLock { reported in
            for metric in metrics {
                for value in metric.values { report(value, isGauge: metric.kind == .gauge, in: &reported) }
            }
        }
    }

    private func report(_ value: Metric.Value, isGauge: Bool, in reported: inout Reported) {
        let labels = value.labels.map { ($0.name, $0.value) }
        let key = "\(value.name)\(labels)"
        switch (isGauge, value.number) {
        case (true, let number):
            let gauge =
                reported.gauges[key] ?? Gauge(label: value.name, dimensions: labels, factory: factory)
            reported.gauges[key] = gauge
            switch number {
            case .whole(let number): gauge.record(number)
            case .fraction(let number): gauge.record(number)
            }
        case (false, .whole(let number)):
            let known = reported.counters[key]
            let counter = known?.counter ?? Counter(label: value.name, dimensions: labels, factory: factory)
            let growth = number - (known?.last ?? 0)
            if growth > 0 { counter.increment(by: growth) }
            reported.counters[key] = (counter, max(number, known?.last ?? 0))
        case (false, .fraction(let number)):
            let known = reported.sums[key]
            let counter =
                known?.counter ?? FloatingPointCounter(label: value.name, dimensions: labels, factory: factory)
            let growth = number - (known?.last ?? 0)
            if growth > 0 { counter.increment(by: growth) }
            reported.sums[key] = (counter, max(number, known?.last ?? 0))
        }
    }

    /// Records an exchange of an endpoint, unless it was a stream.
    func record(_ exchange: HTTPExchange, of route: (method: String, pattern: String)) {
        guard let status = exchange.status, !exchange.isStream else { return }
        let labels = [("method", route.method), ("route", route.pattern), ("status", "\(status.code)")]
        Timer(
            label: RequestMetrics.durationName, dimensions: labels, preferredDisplayUnit: .seconds, factory: factory
        )
        .recordNanoseconds(exchange.nanoseconds)
        Recorder(label: RequestMetrics.sizeName, dimensions: labels, factory: factory).record(exchange.size ?? 0)
    }
}
