/** What a figure depends on beside the code: the machine, what else it did, Node, the commit. */
import { spawnSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { pinning } from './cpu-affinity.mjs'

/** What git prints; nothing where it cannot. @type {(...rest: readonly string[]) => string} */
const git = (...rest) =>
  (spawnSync('git', rest, { cwd: import.meta.dirname, encoding: 'utf8' }).stdout ?? '').trim()

/** The commit, and whether what was measured differs from it. @type {() => string} */
const commit = () => {
  const head = git('rev-parse', '--short=12', 'HEAD')
  const changed =
    git('status', '--porcelain', '--', '../../src', '../../package.json', '../server') !== ''
  return head === '' ? 'no commit' : `commit ${head}${changed ? ' with changes' : ''}`
}

/**
 * One clause; to be asked before a run, because a run is a load itself.
 *
 * @type {() => string}
 */
export const circumstances = () =>
  [
    `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, load average ${(loadavg()[0] ?? NaN).toFixed(2)} before the run`,
    `Node ${process.versions.node}`,
    commit(),
    new Date().toISOString().slice(0, 10),
  ].join('; ')

/** How servers and load generators share the machine, as a clause. */
export const sharing = pinning ? 'server and load generator on a core each' : 'not pinned to cores'
