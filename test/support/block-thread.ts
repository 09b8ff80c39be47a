/** Blocks the current thread for a number of milliseconds without using CPU time. */
export const hold = (milliseconds: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
