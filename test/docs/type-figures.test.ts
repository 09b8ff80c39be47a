/** The cost of types in the documentation, which `npm run types` in `bench/` measures and records. */
import { readFileSync } from 'node:fs'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { describe } from '../support/describe.ts'

const root = new URL('../../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

const Figures = t.record(t.string, t.type({ some: t.number, all: t.number }))
const figures: unknown = JSON.parse(read('bench/types/figures.json'))
const oldest = '5.9'

/** The numbers in a row of a table. */
const numbersIn = (text: string, title: string): ReadonlyArray<number> =>
  (text.split('\n').find((line) => line.startsWith(`| ${title} `)) ?? '')
    .split('|')
    .slice(2, -1)
    .map(Number)

describe('the documented cost of types', (test) => {
  test('the README contains the recorded numbers for the oldest supported compiler', () => {
    assert.ok(Figures.is(figures))
    const [, some, all] =
      /Each endpoint takes (\d+) type instantiations, and (\d+) if/.exec(read('README.md')) ?? []
    assert.equal([Number(some), Number(all)], [figures[oldest]?.some, figures[oldest]?.all])
  })

  test('the README of the benchmarks contains the recorded numbers for each compiler', () => {
    assert.ok(Figures.is(figures))
    const readme = read('bench/README.md')
    const compilers = Object.values(figures)
    assert.equal(
      numbersIn(readme, 'if 3 of 20 are called through the client'),
      compilers.map(({ some }) => some),
    )
    assert.equal(
      numbersIn(readme, 'if all are called, and the results are read'),
      compilers.map(({ all }) => all),
    )
  })

  test('the README and the guide state the oldest supported compiler', () => {
    assert.match(read('README.md'), `TypeScript ${oldest} or later`)
    assert.match(
      read('src/guide/getting-started.md'),
      `TypeScript ${oldest} is the oldest supported version`,
    )
  })
})
