/** Text in pieces: octets of a charset, cut wherever they are. */

/** The text of a piece, or of what is left when there are no more: a character in two pieces is part of the second. */
export type DecodeChunk = (piece: Uint8Array | undefined) => string

/** `undefined` for a charset that is not known. Throws for octets that are not of it. */
export const chunkDecoder = (charset: string): DecodeChunk | undefined => {
  try {
    const decoder = new TextDecoder(charset, { fatal: true })
    return (piece) => decoder.decode(piece, { stream: piece !== undefined })
  } catch {
    return undefined
  }
}
