/**
 * A module built separately for a worker thread; the value is the absolute path of the built file. electron-vite does
 * this in the product, test/module-path.ts in tests and benchmarks.
 */
declare module '*?modulePath' {
  const path: string
  export default path
}
