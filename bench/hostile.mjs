/**
 * What hostile requests cost: how long one holds the event loop, its CPU time and its memory; what others wait for. With
 * `--before`, the same of another build, to compare.
 *
 *     node hostile.mjs [--before <a built checkout>] [--only corpus,bodies,memory,load] [--publish]
 *
 * @import { Build } from './hostile/tables.mjs'
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chosen } from './support/arguments.mjs'
import { circumstances } from './support/environment.mjs'
import { bodiesTable, corpusTable, loadTable, memoryTable } from './hostile/tables.mjs'
import { publish } from './support/readme.mjs'

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    only: { type: 'string' },
    publish: { type: 'boolean', default: false },
  },
})

/** @type {(when: string, root: string) => Build} */
const buildOf = (when, root) => ({
  when,
  root,
  build: pathToFileURL(`${root}/dist/espalier/`).href,
})

const builds = [
  ...(values.before === undefined ? [] : [buildOf('before', resolve(values.before))]),
  buildOf('now', fileURLToPath(new URL('..', import.meta.url))),
]
const parts = [
  { name: 'corpus', make: corpusTable },
  { name: 'bodies', make: bodiesTable },
  { name: 'memory', make: memoryTable },
  { name: 'load', make: loadTable },
]

const about = circumstances()
/** @type {string[]} */
const shown = []
for (const { name, make } of chosen('only', parts, values.only)) {
  const begin = performance.now()
  shown.push(await make(builds))
  console.error(`${name}: ${((performance.now() - begin) / 1_000).toFixed(0)} s`)
}
const text = `${shown.join('\n\n')}\n\n${about}.`
console.log(text)
if (values.publish) publish('hostile', text)
