/**
 * Parses the command line of the streams benchmark.
 *
 * @import { Server } from '../support/servers.mjs'
 * @import { Workload } from './workloads.mjs'
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { selectNamed, parseCount } from '../support/arguments.mjs'
import { servers } from '../support/servers.mjs'
import { delay } from './delay.mjs'
import { workloads } from './workloads.mjs'

/**
 * @typedef {object} Options
 * @property {number} rounds
 * @property {number} seconds duration of each rate measurement
 * @property {number} warmUp duration of the load on each server before the first measurement, in seconds
 * @property {number} idle time without requests between the start of a server and its warm-up, in seconds
 * @property {number} connections
 * @property {boolean} restart whether to start each server for each round, while no other server runs
 * @property {boolean} together whether all servers run under load at the same time, so that only their CPU time can be compared
 * @property {readonly Workload[]} workloads
 * @property {boolean} delay whether to measure the delay of single elements
 * @property {readonly [Server, ...Server[]]} servers the baseline first
 * @property {boolean} isComplete whether all workloads and servers are selected
 * @property {string} json path of the file for the measurements
 */

/** Is only measured if `--servers` selects it. @type {Server} */
const direct = { name: 'espalier-direct', title: 'espalier, direct connections' }

/** @type {(arguments_: readonly string[]) => Options} */
export const readOptions = (arguments_) => {
  const { values } = parseArgs({
    args: [...arguments_],
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      'warm-up': { type: 'string', default: '1' },
      idle: { type: 'string', default: '0' },
      connections: { type: 'string', default: '8' },
      restart: { type: 'boolean', default: false },
      together: { type: 'boolean', default: false },
      only: { type: 'string' },
      servers: { type: 'string' },
      json: { type: 'string', default: join(tmpdir(), 'espalier-bodies.json') },
    },
  })
  const [baseline, ...others] = servers
  const all = [...workloads, delay]
  const measured = selectNamed('only', all, values.only)
  const compared =
    values.servers === undefined
      ? others
      : selectNamed('servers', [...servers, direct], values.servers).filter(
          (one) => one !== baseline,
        )
  return {
    rounds: parseCount('rounds', values.rounds, 100),
    seconds: parseCount('seconds', values.seconds, 60),
    warmUp: parseCount('warm-up', values['warm-up'], 60),
    idle: parseCount('idle', values.idle, 60, 0),
    connections: parseCount('connections', values.connections, 1_000),
    restart: values.restart,
    together: values.together,
    workloads: workloads.filter((workload) => measured.includes(workload)),
    delay: measured.includes(delay),
    servers: [baseline, ...compared],
    isComplete: measured.length === all.length && others.every((one) => compared.includes(one)),
    json: values.json,
  }
}
