/** CPU time of synchronous code, which other processes on the machine affect less than wall-clock time. */

/** Returns the CPU milliseconds of the fastest of several runs, after one that is not measured. */
export const cpuMillis = (run: () => unknown, runs = 5): number => {
  run()
  return Math.min(
    ...Array.from({ length: runs }, () => {
      const before = process.cpuUsage()
      run()
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }),
  )
}
