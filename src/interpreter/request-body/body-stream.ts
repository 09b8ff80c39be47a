/** The content of a request while it comes, with somebody who is errorOf of what is needed no longer. */
export interface BodyStream extends AsyncIterableIterator<Uint8Array> {
  /**
   * Nobody reads the bytes of a chunk any more, so whoever made it may use its memory for something else. It need not be said,
   * and nobody says it of bytes that a handler has seen.
   */
  readonly free?: ((chunk: Uint8Array) => void) | undefined
}

/** Frees chunks of a content. */
export const freed =
  (intake: BodyStream): BodyStream['free'] =>
  (chunk) =>
    intake.free?.(chunk)
