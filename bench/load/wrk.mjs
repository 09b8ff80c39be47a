/**
 * wrk, the load generator of choice: with one request handler on the other core it is half idle,
 * so that what is measured is the server.
 *
 * @see https://github.com/wg/wrk
 * @import { Generator } from './generator.mjs'
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('request.lua', import.meta.url))

/** @type {Generator} */
export const wrk = {
  name: 'wrk',
  available: () => spawnSync('wrk', ['--version']).error === undefined,
  command: (origin, { method, target, headers, body = '' }, { connections, seconds }) => [
    'wrk',
    '--threads=1',
    `--connections=${connections}`,
    `--duration=${seconds}s`,
    // a machine that pauses is not a server that does not answer
    '--timeout=10s',
    `--script=${script}`,
    ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    new URL(target, origin).href,
    '--',
    method,
    body,
  ],
  read: (output) => {
    const { microseconds, ...sums } = JSON.parse(output.trim().split('\n').at(-1) ?? '')
    return { ...sums, seconds: microseconds / 1_000_000 }
  },
}
