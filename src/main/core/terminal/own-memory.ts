/**
 * The addon for widths reads its table from the beginning of the memory behind a Buffer, which is right only for a
 * Buffer that shares its memory with no other one. So none shares while it is imported; who imports it sets this back.
 */
export const { poolSize } = Buffer

Buffer.poolSize = 0
