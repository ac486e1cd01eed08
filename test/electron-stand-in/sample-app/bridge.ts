/** What the sample's preload gives to its page. */
export interface SampleBridge {
  invoke(channel: string, ...args: unknown[]): Promise<unknown>
  send(channel: string, ...args: unknown[]): void
  /** Returns a function that ends the listening. */
  on(channel: string, listener: (value: unknown) => void): () => void
}

declare global {
  interface Window {
    readonly sample: SampleBridge
  }
}
