/** The payloads that the servers of the streams benchmark send. They are the same in every run. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { books } from '../frameworks/books.mjs'

/**
 * @typedef {object} Element
 * @property {number} id
 * @property {string} title
 * @property {boolean} available
 */

/** The elements of a stream: 10,000, about 60 bytes each as JSON. @type {readonly Element[]} */
export const elements = Array.from({ length: 10_000 }, (_, n) => ({
  id: n + 1,
  title: books[n % books.length]?.title ?? '',
  available: n % 3 !== 0,
}))

/** Yields the elements asynchronously and without delay. */
export async function* elementsLater() {
  yield* elements
}

/** Number of elements of a slow source. */
export const ticks = 100

export const tickMilliseconds = 20

/**
 * Returns microseconds of the monotonic clock that all processes of a machine share.
 *
 * @type {() => number}
 */
export const microseconds = () => Number(process.hrtime.bigint() / 1_000n)

/**
 * @typedef {object} Tick
 * @property {number} n
 * @property {number} at the time of the yield, in microseconds
 */

/** A slow source that yields an element every 20 ms. @type {() => AsyncGenerator<Tick, void>} */
export async function* ticking() {
  for (let n = 0; n < ticks; n++) {
    await sleep(tickMilliseconds)
    yield { n, at: microseconds() }
  }
}

/** About 100 KB of JSON that servers compress for each request. */
export const document = JSON.stringify(books.slice(0, 650))

/** The folder of a run, which contains the file that servers send. The benchmark sets `BENCH_FOLDER`. */
export const folder = process.env['BENCH_FOLDER'] ?? '.'

/** The name of the file that servers send. */
export const fileName = 'file.bin'

/** The path of the file that servers send. */
export const filePath = join(folder, fileName)
