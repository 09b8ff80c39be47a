/**
 * The command line of the benchmark of bodies and streams.
 *
 * @import { Server } from '../support/servers.mjs'
 * @import { Workload } from './workloads.mjs'
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chosen, count } from '../support/arguments.mjs'
import { servers } from '../support/servers.mjs'
import { delay } from './delay.mjs'
import { workloads } from './workloads.mjs'

/**
 * @typedef {object} Options
 * @property {number} rounds
 * @property {number} seconds of each measurement of a rate
 * @property {number} connections
 * @property {readonly Workload[]} workloads
 * @property {boolean} delay whether the delay of a single element is measured
 * @property {readonly [Server, ...Server[]]} servers the measure of the others first
 * @property {boolean} everything whether nothing is left out
 * @property {string} json the file for the figures
 */

/** @type {(arguments_: readonly string[]) => Options} */
export const readOptions = (arguments_) => {
  const { values } = parseArgs({
    args: [...arguments_],
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      connections: { type: 'string', default: '8' },
      only: { type: 'string' },
      servers: { type: 'string' },
      json: { type: 'string', default: join(tmpdir(), 'espalier-bodies.json') },
    },
  })
  const [measure, ...others] = servers
  const all = [...workloads, delay]
  const measured = chosen('only', all, values.only)
  const compared = chosen('servers', servers, values.servers).filter((one) => others.includes(one))
  return {
    rounds: count('rounds', values.rounds, 100),
    seconds: count('seconds', values.seconds, 60),
    connections: count('connections', values.connections, 1_000),
    workloads: workloads.filter((one) => measured.includes(one)),
    delay: measured.includes(delay),
    servers: [measure, ...compared],
    everything: measured.length === all.length && compared.length === others.length,
    json: values.json,
  }
}
