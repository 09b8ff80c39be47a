/** The body of a request, as a stream of chunks. */
export interface BodyStream extends AsyncIterableIterator<Uint8Array> {
  /**
   * Called when the bytes of a chunk are no longer read, so that its memory can be reused. Optional, and never called for bytes that
   * a handler has received.
   */
  readonly free?: ((chunk: Uint8Array) => void) | undefined
}

/** Returns a function that frees chunks of a stream. */
export const freed =
  (intake: BodyStream): BodyStream['free'] =>
  (chunk) =>
    intake.free?.(chunk)
