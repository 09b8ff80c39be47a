/** Milliseconds that this process has computed for: unlike time, they do not pass while others have the processor. */
export const computed = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
