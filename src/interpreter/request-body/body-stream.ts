/** The content of a request while it comes, with somebody who is told of what is needed no longer. */
export interface BodyStream extends AsyncIterableIterator<Uint8Array> {
  /**
   * Nobody reads the octets of a piece any more, so whoever made it may use its memory for something else. It need not be said,
   * and nobody says it of octets that a handler has seen.
   */
  readonly free?: ((piece: Uint8Array) => void) | undefined
}

/** Frees pieces of a content. */
export const freed =
  (intake: BodyStream): BodyStream['free'] =>
  (piece) =>
    intake.free?.(piece)
