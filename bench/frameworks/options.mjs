/**
 * The command line of the benchmark.
 *
 * @import { Generator } from '../load/generator.mjs'
 * @import { Quantity } from './metrics.mjs'
 * @import { Server } from '../support/servers.mjs'
 * @import { Workload } from './workloads.mjs'
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chosen, count } from '../support/arguments.mjs'
import { generators } from '../load/generator.mjs'
import { quantities } from './metrics.mjs'
import { servers } from '../support/servers.mjs'
import { workloads } from './workloads.mjs'

/**
 * @typedef {object} Options
 * @property {number} rounds
 * @property {number} seconds of each measurement of a rate
 * @property {readonly Workload[]} workloads
 * @property {readonly Quantity[]} quantities
 * @property {readonly [Server, ...Server[]]} servers the measure of the others first
 * @property {boolean} everything whether nothing is left out
 * @property {Generator} generator
 * @property {string} json the file for the figures
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
  const [measure, ...others] = servers
  const generator = chosen('generator', generators, values.generator).find((one) => one.available())
  if (generator === undefined) throw new Error(`${values.generator} is not installed`)
  const measured = chosen('only', [...workloads, ...quantities], values.only)
  const compared = chosen('servers', servers, values.servers).filter((one) => others.includes(one))
  return {
    rounds: count('rounds', values.rounds, 100),
    seconds: count('seconds', values.seconds, 60),
    workloads: workloads.filter((one) => measured.includes(one)),
    quantities: quantities.filter((one) => measured.includes(one)),
    servers: [measure, ...compared],
    everything:
      measured.length === workloads.length + quantities.length && compared.length === others.length,
    generator,
    json: values.json,
  }
}
