/**
 * Takes a content coding off: the octets that coded ones stand for. What it rejects with, where the coded octets did not
 * reject, means that they are not of the coding, or are not whole. Nothing is asked of them before it is asked itself.
 */
export type Decompressor = (coded: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
