/** CPU milliseconds of this process, which do not include the time of other processes. */
export const computed = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
