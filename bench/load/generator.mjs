/**
 * A load generator: a command that sends one request over and over on kept-open connections, each
 * as soon as the one before it is answered, for a time, and prints sums.
 *
 * @import { Command } from '../support/cpu-affinity.mjs'
 * @import { Exchange, Request } from '../frameworks/workloads.mjs'
 */
import { autocannon } from './autocannon.mjs'
import { execute } from './execute.mjs'
import { wrk } from './wrk.mjs'

/**
 * What a run came to. A refusal is an answer with a status of 400 or above.
 *
 * @typedef {{ answers: number, refusals: number, errors: number, seconds: number }} Load
 */

/** @typedef {{ readonly connections: number, readonly seconds: number }} Pressure */

/**
 * @typedef {object} Generator
 * @property {string} name
 * @property {() => boolean} available
 * @property {(origin: string, request: Request, pressure: Pressure) => Command} command
 * @property {(output: string) => Load} read
 */

/** The preferred one first. @type {readonly [Generator, ...Generator[]]} */
export const generators = [wrk, autocannon]

/**
 * The answers that a server gives to one request, and the seconds it took. Throws when an answer was of the
 * wrong kind or missing, or the generator did not end in time.
 *
 * @type {(generator: Generator, origin: string, exchange: Exchange, pressure: Pressure) => Promise<Pick<Load, 'answers' | 'seconds'>>}
 */
export const measureRate = async (generator, origin, { request, answer }, pressure) => {
  const command = generator.command(origin, request, pressure)
  const { answers, refusals, errors, seconds } = generator.read(
    await execute(command, pressure.seconds),
  )
  if (errors > 0 || refusals !== (answer.status < 400 ? 0 : answers))
    throw new Error(
      `${request.method} ${request.target}: ${answers} answers, ${refusals} refusals, ${errors} errors`,
    )
  return { answers, seconds }
}
