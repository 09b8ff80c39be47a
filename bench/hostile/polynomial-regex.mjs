/** Measures a regular expression with polynomial matching time. */
import { load } from '../../dist/test/hostile/library.js'

const length = 1_000

/** Returns the CPU milliseconds to check a string; `undefined` if the ReDoS check rejects the expression. @type {(build: string) => Promise<number | undefined>} */
export const polynomial = async (build) => {
  const { espalier } = await load(build)
  /** @type {{ readonly is: (value: unknown) => boolean }} */
  let codec
  try {
    codec = espalier.pattern(/^\d+\d+\d+x$/)(espalier.string)
  } catch {
    return undefined
  }
  const begin = process.cpuUsage()
  codec.is('1'.repeat(length))
  return process.cpuUsage(begin).user / 1_000
}
