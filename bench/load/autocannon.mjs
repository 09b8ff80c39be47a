/**
 * The load generator autocannon, used if wrk is not installed. It runs on Node.js and needs almost a whole core, where wrk
 * needs half a core. It can therefore slow the fastest servers down, which favors the others.
 *
 * @see https://github.com/mcollina/autocannon
 * @import { Generator } from './generator.mjs'
 */
import { fileURLToPath } from 'node:url'

/** @type {Generator} */
export const autocannon = {
  name: 'autocannon',
  available: () => true,
  command: (origin, { method, target, headers, body }, { connections, seconds }) => [
    process.execPath,
    fileURLToPath(import.meta.resolve('autocannon')),
    `--connections=${connections}`,
    `--duration=${seconds}`,
    `--method=${method}`,
    '--json',
    ...Object.entries(headers).flatMap(([name, value]) => ['--headers', `${name}=${value}`]),
    ...(body === undefined ? [] : ['--body', body]),
    new URL(target, origin).href,
  ],
  read: (output) => {
    const result = JSON.parse(output)
    const errorResponses = result['4xx'] + result['5xx']
    return {
      responses: result['1xx'] + result['2xx'] + result['3xx'] + errorResponses,
      errorResponses,
      errors: result.errors + result.timeouts,
      seconds: result.duration,
    }
  },
}
