/** What every server of bodies and streams answers with; the same in every run. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { books } from '../frameworks/books.mjs'

/**
 * @typedef {object} Element
 * @property {number} id
 * @property {string} title
 * @property {boolean} available
 */

/** The elements of a stream: 10,000, about 60 octets each as JSON. @type {readonly Element[]} */
export const elements = Array.from({ length: 10_000 }, (_, n) => ({
  id: n + 1,
  title: books[n % books.length]?.title ?? '',
  available: n % 3 !== 0,
}))

/** The elements from a source that gives them later, each as soon as it is asked for. */
export async function* elementsLater() {
  yield* elements
}

/** How many elements a slow source gives. */
export const ticks = 100

export const tickMilliseconds = 20

/**
 * Microseconds of a clock that all processes of this machine share.
 *
 * @type {() => number}
 */
export const microseconds = () => Number(process.hrtime.bigint() / 1_000n)

/**
 * @typedef {object} Tick
 * @property {number} n
 * @property {number} at when it was given, in microseconds
 */

/** A slow source: one element every 20 ms. @type {() => AsyncGenerator<Tick, void>} */
export async function* ticking() {
  for (let n = 0; n < ticks; n++) {
    await sleep(tickMilliseconds)
    yield { n, at: microseconds() }
  }
}

/** About 100 KB of JSON, for servers that compress it on the fly. */
export const document = JSON.stringify(books.slice(0, 650))

/** The folder of a run, told by the benchmark. It holds the file that servers send. */
export const folder = process.env['BENCH_FOLDER'] ?? '.'

/** The name of the file that servers send. */
export const fileName = 'file.bin'

/** Its path. */
export const filePath = join(folder, fileName)
