/** Holds the thread that it runs on for so many milliseconds, and leaves the processor to others. */
export const hold = (milliseconds: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
