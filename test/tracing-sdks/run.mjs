/**
 * Runs `check.mjs` with two major versions of the SDK of OpenTelemetry, with and without its instrumentations of `node:http` and undici. Version 2
 * runs on this version of Node.js, and version 3 on Node.js 24, which the packages of `sdk-3` contain.
 *
 * The packages of both folders must be installed, and the package built.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** The commands of Node.js for each folder. @type {Readonly<Record<string, ReadonlyArray<string>>>} */
const commands = {
  'sdk-2': [execPath],
  'sdk-3': readdirSync(`${folder}sdk-3/node_modules`)
    .filter((name) => name.startsWith('node-'))
    .map((name) => `${folder}sdk-3/node_modules/${name}/bin/node`),
}

for (const [sdk, versions] of Object.entries(commands))
  for (const node of versions)
    for (const others of ['without', 'with']) {
      console.log(`# ${sdk} ${others} other instrumentations`)
      const { status } = spawnSync(node, ['check.mjs', sdk, others], {
        cwd: folder,
        stdio: 'inherit',
        timeout: 120_000,
      })
      if (status !== 0) process.exitCode = 1
    }
