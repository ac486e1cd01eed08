/**
 * The addon for widths reads its table from the beginning of the memory behind a Buffer, which is right only if that
 * Buffer shares its memory with no other. So pooling is off while it is imported; the importer turns it on again.
 */
export const { poolSize } = Buffer

Buffer.poolSize = 0
