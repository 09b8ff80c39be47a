/**
 * Load generators: commands that send the same request repeatedly on keep-alive connections and print totals. Each
 * connection sends the next request when it has received the response to the previous one.
 *
 * @import { Command } from '../support/cpu-affinity.mjs'
 * @import { Exchange, Request } from '../frameworks/workloads.mjs'
 */
import { autocannon } from './autocannon.mjs'
import { execute } from './execute.mjs'
import { wrk } from './wrk.mjs'

/**
 * The totals of a run. Error responses have a status of 400 or above; `errors` are failed connections and timeouts.
 *
 * @typedef {{ responses: number, errorResponses: number, errors: number, seconds: number }} Load
 */

/** @typedef {{ readonly connections: number, readonly seconds: number }} LoadOptions */

/**
 * @typedef {object} Generator
 * @property {string} name
 * @property {() => boolean} available
 * @property {(origin: string, request: Request, options: LoadOptions) => Command} command
 * @property {(output: string) => Load} read
 */

/** The preferred generator is first. @type {readonly [Generator, ...Generator[]]} */
export const generators = [wrk, autocannon]

/**
 * Measures the number of responses and the duration of a run. Throws on errors, on a mix of successful and error responses,
 * and if the generator does not exit in time.
 *
 * @type {(generator: Generator, origin: string, exchange: Exchange, options: LoadOptions) => Promise<Pick<Load, 'responses' | 'seconds'>>}
 */
export const measureRate = async (generator, origin, { request, expected }, options) => {
  const command = generator.command(origin, request, options)
  const { responses, errorResponses, errors, seconds } = generator.read(
    await execute(command, options.seconds),
  )
  if (errors > 0 || errorResponses !== (expected.status < 400 ? 0 : responses))
    throw new Error(
      `${request.method} ${request.target}: ${responses} responses, ${errorResponses} errorResponses, ${errors} errors`,
    )
  return { responses, seconds }
}
