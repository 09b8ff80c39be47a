/**
 * The load generator wrk, which is preferred: it uses half of its core while the server uses all of the other core, so the
 * server is the bottleneck.
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
    // long enough that a pause of the machine is not an error
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
