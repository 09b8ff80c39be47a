/** Describes the environment of a run: machine, load, Node.js version, commit and date. */
import { spawnSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { canPin } from './cpu-affinity.mjs'

/** Returns the output of git; an empty string if git fails. @type {(...rest: readonly string[]) => string} */
const git = (...rest) =>
  (spawnSync('git', rest, { cwd: import.meta.dirname, encoding: 'utf8' }).stdout ?? '').trim()

/** Returns the commit, marked if the measured files have uncommitted changes. @type {() => string} */
const commit = () => {
  const head = git('rev-parse', '--short=12', 'HEAD')
  const measured = ['../../src', '../../package.json', '../server']
  const changed = git('status', '--porcelain', '--', ...measured) !== ''
  return head === '' ? 'no commit' : `commit ${head}${changed ? ' with changes' : ''}`
}

/**
 * Describes the environment in one line. Call it before a run, because the run itself raises the load average.
 *
 * @type {() => string}
 */
export const describeEnvironment = () =>
  [
    `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, load average ${(loadavg()[0] ?? NaN).toFixed(2)} before the run`,
    `Node ${process.versions.node}`,
    commit(),
    new Date().toISOString().slice(0, 10),
  ].join('; ')

/** Whether servers and load generators are pinned to cores, as a phrase. */
export const pinningNote = canPin
  ? 'server and load generator on a core each'
  : 'not pinned to cores'
