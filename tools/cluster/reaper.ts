import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';

/**
 * Holds our pipe as its standard input, and cleans up when that ends, however our process ended. A paused program only
 * takes SIGKILL. PostgreSQL gets SIGQUIT first, because by SIGKILL it would leave shared memory behind.
 */
const CLEAN_UP = `
folder=$1
read -r _
trap '' TERM INT HUP
pids() {
  for link in /proc/[0-9]*/cwd; do
    case "$(readlink "$link" 2>/dev/null)" in
      "$folder"|"$folder"/*) pid=\${link#/proc/}; echo "\${pid%/cwd}" ;;
    esac
  done
}
is_postgres() { [ "$(cat "/proc/$1/comm" 2>/dev/null)" = postgres ]; }
for pid in $(pids); do is_postgres "$pid" || kill -KILL "$pid" 2>/dev/null; done
for pid in $(pids); do kill -CONT "$pid" 2>/dev/null; kill -QUIT "$pid" 2>/dev/null; done
for _ in 1 2 3 4 5 6 7 8 9 10; do
  [ -z "$(pids)" ] && break
  sleep 0.3
done
for pid in $(pids); do kill -KILL "$pid" 2>/dev/null; done
rm -rf "$folder"
`;

/** A process that ends every program of the folder, and deletes the folder, once we have ended or ask for it. */
export class Reaper {
  readonly #shell: ChildProcessWithoutNullStreams;
  readonly #exited: Promise<void>;

  constructor(folder: string) {
    this.#shell = spawn('/bin/sh', ['-c', CLEAN_UP, 'reaper', folder], { cwd: '/', detached: true });
    this.#exited = new Promise((resolve) => this.#shell.once('exit', () => resolve()));
    this.#shell.stdin.on('error', () => undefined);
  }

  /** Ends what still runs, and deletes the folder. */
  async cleanUp(): Promise<void> {
    this.#shell.stdin.end();
    await this.#exited;
  }
}
