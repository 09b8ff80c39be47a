/**
 * Sends requests over HTTP/2 with other clients, and runs h2spec. Arguments select steps. Default: all. Tools that are not installed
 * are skipped, or are failures if the environment variable `CI` is set.
 */
import { spawnSync } from 'node:child_process'
import { steps } from './steps.mjs'
import { startServer } from './server.mjs'

const selected = process.argv.slice(2)
const server = await startServer()
for (const { name, tool, run } of steps) {
  if (selected.length > 0 && !selected.includes(name)) continue
  if (tool !== undefined && spawnSync('which', [tool]).status !== 0) {
    console.log(`${name}: skipped, ${tool} is not installed`)
    if (process.env.CI) process.exitCode = 1
    continue
  }
  const started = performance.now()
  try {
    const result = await run(server)
    console.log(`${name}: ${result} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
  } catch (error) {
    console.error(`${name}: FAILED: ${error.message}`)
    process.exitCode = 1
  }
}
await server.close()
