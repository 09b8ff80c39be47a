/**
 * Measures the CPU nanoseconds per element that the date codecs need to decode and to encode: the median of warm passes.
 * Uses `Temporal` of the runtime if it exists, otherwise `temporal-polyfill`.
 */
import { strictEqual } from 'node:assert/strict'
import { describeEnvironment } from '../support/environment.mjs'
import { median } from '../support/statistics.mjs'
import { table } from '../support/markdown-table.mjs'

/** @type {typeof import('../../dist/src/index.js')} */
const espalier = await import(new URL('../../dist/espalier/index.js', import.meta.url).href)
const { dateFormat, duration, instant, offsetDateTime, offsetTime } = espalier
const { plainDate, plainDateTime, plainTime, year, yearMonth, zonedDateTime } = espalier

const elements = 1_000
const warmUps = 20
const passes = 31

/** @type {(n: number) => string} */
const two = (n) => String(n).padStart(2, '0')

/**
 * The codecs, each with the text of an element.
 *
 * @type {readonly (readonly [string, import('io-ts').Type<any, string>, (n: number) => string])[]}
 */
const codecs = [
  ['plainDate', plainDate, (n) => `2024-01-${two((n % 28) + 1)}`],
  ['plainTime', plainTime, (n) => `10:15:${two(n % 60)}.123456789`],
  ['plainDateTime', plainDateTime, (n) => `2024-01-31T10:15:${two(n % 60)}.123456789`],
  ['instant', instant, (n) => `2024-01-31T10:15:${two(n % 60)}.123Z`],
  ['offsetDateTime', offsetDateTime, (n) => `2024-01-31T10:15:${two(n % 60)}+01:00`],
  ['offsetTime', offsetTime, (n) => `10:15:${two(n % 60)}+01:00`],
  [
    'zonedDateTime',
    zonedDateTime,
    (n) => `2024-01-${two((n % 28) + 1)}T10:15:30+01:00[Europe/Paris]`,
  ],
  ['year', year, (n) => String(2000 + n)],
  ['yearMonth', yearMonth, (n) => `2024-${two((n % 12) + 1)}`],
  ['duration', duration, (n) => `P1Y2M3DT4H5M${n}.5S`],
  ['`dd/MM/yyyy`', dateFormat('dd/MM/yyyy')(plainDate), (n) => `${two((n % 28) + 1)}/01/2024`],
  [
    '`EEE, dd MMM yyyy HH:mm:ss X`',
    dateFormat('EEE, dd MMM yyyy HH:mm:ss X')(instant),
    (n) => `Wed, 31 Jan 2024 10:15:${two(n % 60)} Z`,
  ],
  [
    '`yyyy-MM-dd HH:mm VV`',
    dateFormat('yyyy-MM-dd HH:mm VV')(zonedDateTime),
    (n) => `2024-01-31 10:${two(n % 60)} Europe/Paris`,
  ],
]

/** Returns CPU nanoseconds per element. @type {(pass: () => unknown) => number} */
const measure = (pass) => {
  for (let at = 0; at < warmUps; at++) pass()
  return median(
    Array.from({ length: passes }, () => {
      const before = process.cpuUsage()
      pass()
      const { user, system } = process.cpuUsage(before)
      return ((user + system) * 1_000) / elements
    }),
  )
}

const rows = codecs.map(([name, codec, textOf]) => {
  const texts = Array.from({ length: elements }, (_, n) => textOf(n))
  const results = texts.map((text) => codec.decode(text))
  const values = results.flatMap((result) => (result._tag === 'Right' ? [result.right] : []))
  strictEqual(values.length, elements, name)
  const decoded = measure(() => texts.map((text) => codec.decode(text)))
  const encoded = measure(() => values.map((value) => codec.encode(value)))
  return [name, decoded.toFixed(0), encoded.toFixed(0)]
})

const provider = 'Temporal' in globalThis ? 'Temporal of the runtime' : 'temporal-polyfill'
console.log(table([['ns per element', 'decode', 'encode'], ...rows]))
console.log(`\n${describeEnvironment()}; ${provider}; CPU time, medians of ${passes} passes.`)
