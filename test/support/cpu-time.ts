/**
 * CPU time of synchronous code, which other processes on the machine affect less than wall-clock time. Only the time in user mode counts:
 * if memory is short, the kernel spends seconds of system time on the memory of a process.
 */

/** Returns the CPU milliseconds of the fastest of several runs, after one that is not measured. */
export const cpuMillis = (run: () => unknown, runs = 5): number => {
  run()
  return Math.min(
    ...Array.from({ length: runs }, () => {
      const before = cpuTime()
      run()
      return cpuTime() - before
    }),
  )
}

/** CPU milliseconds of this process, which do not include the time of other processes. */
export const cpuTime = (): number => process.cpuUsage().user / 1000

/** Blocks the current thread for a number of milliseconds without using CPU time. */
export const blockThread = (milliseconds: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
