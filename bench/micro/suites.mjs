/**
 * The suites of the micro benchmarks.
 *
 * @import { Suite } from './types.mjs'
 */
import { readFileSync } from 'node:fs'
import { rows as codecRows } from './codec/rows.mjs'
import { rows as routerRows } from './router/rows.mjs'

/** @type {(title: string, folder: string) => string} */
const withVersion = (title, folder) => {
  const file = new URL(`../${folder}/package.json`, import.meta.url)
  return `${title} ${JSON.parse(readFileSync(file, 'utf8')).version}`
}

/** @type {readonly Suite[]} */
export const suites = [
  {
    name: 'codec',
    title: 'µs per operation',
    nanoseconds: 1_000,
    rows: codecRows,
    libraries: [
      { name: 'espalier-generated', title: 'espalier, generated' },
      { name: 'espalier-interpreted', title: 'espalier, interpreted' },
      { name: 'io-ts', title: withVersion('io-ts', '../node_modules/io-ts') },
      { name: 'ajv', title: withVersion('ajv', 'node_modules/ajv') },
      { name: 'zod', title: withVersion('zod', 'node_modules/zod') },
      { name: 'typebox', title: withVersion('TypeBox', 'node_modules/typebox') },
      {
        name: 'fast-json-stringify',
        title: withVersion('fast-json-stringify', 'node_modules/fast-json-stringify'),
      },
      { name: 'json', title: '`JSON`' },
    ],
  },
  {
    name: 'router',
    title: 'ns per look-up among 200 routes',
    nanoseconds: 1,
    rows: routerRows,
    libraries: [
      { name: 'espalier', title: 'espalier' },
      { name: 'find-my-way', title: withVersion('find-my-way', 'node_modules/find-my-way') },
    ],
  },
]
