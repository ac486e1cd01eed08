/** What is used of node-pty; its own types name another module. */
declare module 'node-pty' {
  interface Options {
    name: string
    cols: number
    rows: number
    cwd: string
    env: Record<string, string>
    /** On Unix only: null delivers output as raw bytes. */
    encoding?: null
  }

  interface Ending {
    exitCode: number
    signal?: number
  }

  export interface IPty {
    readonly pid: number
    readonly onData: (listener: (data: string | Buffer) => void) => { dispose(): void }
    readonly onExit: (listener: (ending: Ending) => void) => { dispose(): void }
    write(data: string): void
    resize(columns: number, rows: number): void
    kill(signal?: string): void
    pause(): void
    resume(): void
    /** On Unix only: the master's file descriptor, open until `close`. */
    readonly fd?: number
    /** On Unix only: the stream that reads the master. */
    readonly _socket?: {
      destroy(error?: Error): unknown
      read(): unknown
      readonly destroyed: boolean
    }
  }

  export function spawn(program: string, args: string[], options: Options): IPty
}
