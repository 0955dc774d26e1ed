/// An executor whose tasks continue on the thread that resumes them, within the call that does so.
///
/// A store's own chores use it: they need no thread beside the writer's, and no app can keep them waiting.
package final class ResumingExecutor: TaskExecutor {
    package static let shared = ResumingExecutor()

    package func enqueue(_ job: consuming ExecutorJob) {
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
