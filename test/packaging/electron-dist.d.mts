export const shippedFuses: string
export function makeElectronDist(folder: string, version: string): void
