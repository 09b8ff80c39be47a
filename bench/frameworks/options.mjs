/**
 * Parses the command line of the framework comparison.
 *
 * @import { Generator } from '../load/generator.mjs'
 * @import { Metric } from './metrics.mjs'
 * @import { Server } from '../support/servers.mjs'
 * @import { Workload } from './workloads.mjs'
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { selectNamed, parseCount } from '../support/arguments.mjs'
import { generators } from '../load/generator.mjs'
import { metrics } from './metrics.mjs'
import { servers } from '../support/servers.mjs'
import { workloads } from './workloads.mjs'

/**
 * @typedef {object} Options
 * @property {number} rounds
 * @property {number} seconds duration of each rate measurement
 * @property {readonly Workload[]} workloads
 * @property {readonly Metric[]} metrics
 * @property {readonly [Server, ...Server[]]} servers the baseline first
 * @property {boolean} isComplete whether all workloads, metrics and servers are selected
 * @property {Generator} generator
 * @property {string} json path of the file for the measurements
 */

/** @type {(arguments_: readonly string[]) => Options} */
export const readOptions = (arguments_) => {
  const { values } = parseArgs({
    args: [...arguments_],
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      only: { type: 'string' },
      servers: { type: 'string' },
      generator: { type: 'string' },
      json: { type: 'string', default: join(tmpdir(), 'espalier-bench.json') },
    },
  })
  const [baseline, ...others] = servers
  const generator = selectNamed('generator', generators, values.generator).find(({ available }) =>
    available(),
  )
  if (generator === undefined)
    throw new Error(`missing load generator ${values.generator}: install it`)
  const measured = selectNamed('only', [...workloads, ...metrics], values.only)
  const compared = selectNamed('servers', servers, values.servers).filter((server) =>
    others.includes(server),
  )
  return {
    rounds: parseCount('rounds', values.rounds, 100),
    seconds: parseCount('seconds', values.seconds, 60),
    workloads: workloads.filter((workload) => measured.includes(workload)),
    metrics: metrics.filter((metric) => measured.includes(metric)),
    servers: [baseline, ...compared],
    isComplete:
      measured.length === workloads.length + metrics.length && compared.length === others.length,
    generator,
    json: values.json,
  }
}
