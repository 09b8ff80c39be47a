/**
 * The tables: what is compared, and on what.
 *
 * @import { Subject } from './types.mjs'
 */
import { readFileSync } from 'node:fs'
import { rows as codecRows } from './codec/rows.mjs'
import { rows as routerRows } from './router/rows.mjs'

/** @type {(title: string, folder: string) => string} */
const withVersion = (title, folder) => {
  const file = new URL(`../${folder}/package.json`, import.meta.url)
  return `${title} ${JSON.parse(readFileSync(file, 'utf8')).version}`
}

/** @type {readonly Subject[]} */
export const subjects = [
  {
    name: 'codec',
    title: 'µs per operation',
    nanoseconds: 1_000,
    rows: codecRows,
    contestants: [
      { name: 'espalier-generated', title: 'espalier, source' },
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
    contestants: [
      { name: 'espalier', title: 'espalier' },
      { name: 'find-my-way', title: withVersion('find-my-way', 'node_modules/find-my-way') },
    ],
  },
]
