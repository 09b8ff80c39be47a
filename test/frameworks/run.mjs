/**
 * Tests `nodeListener` in other frameworks: first the tests in this folder, then the contracts inside Express and Fastify. Arguments
 * select steps: `usage`, `express`, `fastify`, `koa`. Default: all but `koa`.
 *
 * The packages of this folder must be installed, and the tests compiled.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const suite = fileURLToPath(new URL('../../dist/test/suite.js', import.meta.url))

/** @type {(args: ReadonlyArray<string>, env?: Readonly<Record<string, string>>) => void} */
const run = (args, env = {}) => {
  const flags = ['--enable-source-maps', '--unhandled-rejections=strict']
  const { status } = spawnSync(process.execPath, [...flags, ...args], {
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
}

/** @type {(framework: string) => void} */
const runContracts = (framework) => {
  const server = new URL(`servers/${framework}.mjs`, import.meta.url).href
  run([suite, 'contract/'], { ESPALIER_TEST_FRAMEWORK: server })
}

const selected = process.argv.slice(2)
const steps = selected.length > 0 ? selected : ['usage', 'express', 'fastify']
for (const step of steps) {
  console.log(`\n# ${step}`)
  if (step === 'usage') run(['--test', fileURLToPath(new URL('usage.test.mjs', import.meta.url))])
  else runContracts(step)
}
