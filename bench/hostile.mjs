/**
 * Measures the cost of hostile requests: how long a request blocks the event loop, its CPU time and its memory, and the latency
 * of other requests. `--before` also measures another build, for comparison. `--publish` replaces the table of the worst requests in the README.
 *
 *     node hostile.mjs [--before <a built checkout>] [--only corpus,bodies,memory,load] [--publish]
 *
 * @import { Build } from './hostile/tables.mjs'
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { selectNamed } from './support/arguments.mjs'
import { describeEnvironment } from './support/environment.mjs'
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

const about = describeEnvironment()
/** @type {Map<string, string>} */
const sections = new Map()
for (const { name, make } of selectNamed('only', parts, values.only)) {
  const begin = performance.now()
  sections.set(name, await make(builds))
  console.error(`${name}: ${((performance.now() - begin) / 1_000).toFixed(0)} s`)
}
console.log(`${[...sections.values()].join('\n\n')}\n\n${about}.`)
const worst = sections.get('corpus')
if (values.publish && worst !== undefined) publish('hostile', `${worst}\n\n${about}.`)
