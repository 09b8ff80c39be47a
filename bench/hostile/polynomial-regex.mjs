/** A polynomial regular expression: how long it takes, or whether it is rejected. */
import { load } from '../../dist/test/support/hostile/library.js'

const length = 1_000

/** Milliseconds to check a text; `undefined` if the codec cannot be declared. @type {(build: string) => Promise<number | undefined>} */
export const polynomial = async (build) => {
  const { espalier } = await load(build)
  /** @type {{ readonly is: (value: unknown) => boolean }} */
  let codec
  try {
    codec = espalier.matching(/^\d+\d+\d+x$/)(espalier.string)
  } catch {
    return undefined
  }
  const begin = process.cpuUsage()
  codec.is('1'.repeat(length))
  return process.cpuUsage(begin).user / 1_000
}
