internal import Foundation
internal import Synchronization

/// A shell that runs the commands for a cluster, and stops the cluster when the shell's own input ends. So the cluster
/// ends with its owner, however that ends.
final class Guardian: Sendable {
    /// The script. Its arguments are the folder of the programs, the address of the primary if it is a standby, lines of
    /// the configuration, and the command line that runs programs.
    private static let script = #"""
        programs=$1 && primary=$2 && settings=$3 && shift 3
        folder=$(mktemp -d "${TMPDIR:-/tmp}/postgresql.XXXXXX") && data=$folder/data
        if [ $# -gt 0 ]; then chown postgres "$folder"; fi
        cd "$folder" || exit 1

        # The working directory of all its processes is the data folder.
        each() {
            for process in /proc/[0-9]*; do
                if [ "$process/cwd" -ef "$data" ]; then kill -s "$1" "${process#/proc/}" 2>/dev/null; fi
            done
        }
        # Processes that start at this moment may have been missed. One that waits for the disk ends after that.
        end() {
            deadline=$(($(date +%s) + 60))
            each KILL
            while :; do
                found=
                for process in /proc/[0-9]*; do if [ "$process/cwd" -ef "$data" ]; then found=1; fi; done
                # Its parent may not have reaped it yet, and PostgreSQL would consider it alive.
                if [ -z "$found" ]; then rm -f "$data/postmaster.pid" && return 0; fi
                if [ "$(date +%s)" -ge $deadline ]; then return 1; fi
                each KILL
                sleep 0.05
            done
        }
        finish() { end; cd / && rm -rf "$folder"; }
        trap finish EXIT
        # The reader of the output is gone, or a signal ends this shell.
        trap 'exit 1' HUP INT PIPE TERM

        if [ -z "$primary" ]; then
            "$@" "$programs/initdb" -D "$data" -U postgres -A trust -E UTF8 --locale=C -N >"$folder/initdb.log" 2>&1
        else
            "$@" "$programs/pg_basebackup" -D "$data" -d "$primary" -R -c fast -N >"$folder/backup.log" 2>&1
        fi || exit 1
        cat >>"$data/postgresql.conf" <<-END
        listen_addresses = '127.0.0.1'
        unix_socket_directories = '$folder'
        $settings
        END
        printf '%s\n' 'local all all trust' 'host all locked 127.0.0.1/32 scram-sha-256' \
            'host all all 127.0.0.1/32 trust' 'host replication all 127.0.0.1/32 trust' >"$data/pg_hba.conf"
        echo "$folder"

        while read -r command port; do
            case $command in
                start)
                    # A killed server may still be ending.
                    for attempt in 1 2 3 4 5; do
                        "$@" "$programs/pg_ctl" start -w -t 60 -D "$data" -l "$folder/server.log" -o "-p $port" \
                            >/dev/null 2>&1 && break
                        sleep 0.2
                        [ $attempt -lt 5 ]
                    done ;;
                promote) "$@" "$programs/pg_ctl" promote -w -t 60 -D "$data" >/dev/null 2>&1 ;;
                stop) "$@" "$programs/pg_ctl" stop -w -m fast -D "$data" >/dev/null 2>&1 ;;
                # The locks are released, even if a process has not been reaped yet.
                kill) end && rm -f "$data/postmaster.pid" "$folder"/.s.PGSQL.* ;;
                pause) each STOP ;;
                resume) each CONT ;;
            esac && echo ok || { echo "failed: $command: $(tail -n 3 "$folder/server.log" | tr '\n' ' ')"; }
        done
        """#

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let queue = DispatchQueue(label: "guardian")
    private let rest = Mutex<[UInt8]>([])

    /// - Parameter primary: The address of the primary if it is a standby; `nil` for a new cluster.
    init(_ installation: Installation, standbyOf primary: String? = nil, settings: String) throws {
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments =
            ["-c", Self.script, "sh", installation.programs, primary ?? "", settings] + installation.asUser
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.runUnblocked()
    }

    deinit {
        try? input.fileHandleForWriting.close()
    }

    /// Runs a command, and waits until it is done.
    func command(_ text: String) async throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(text)\n".utf8))
        let answer = try await line()
        guard answer == "ok" else { throw ClusterError(description: answer) }
    }

    /// The next line of its output. Reading blocks, so it happens on a separate thread.
    func line() async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                var line: [UInt8] = []
                while let byte = self.output.fileHandleForReading.readData(ofLength: 1).first {
                    if byte == UInt8(ascii: "\n") {
                        return continuation.resume(returning: String(decoding: line, as: UTF8.self))
                    }
                    line.append(byte)
                }
                continuation.resume(throwing: ClusterError(description: "PostgreSQL could not be started"))
            }
        }
    }
}
