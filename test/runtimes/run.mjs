/**
 * Runs contracts and a table of requests on workerd, Deno and Bun, and the test of the internals on other versions of Node.js. Arguments select steps, such as `deno-socket`, and `--files=PART` selects
 * test files whose paths contain the part.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle, contractFiles } from './bundle.mjs'
import { exclusionFor } from './exclusions.mjs'
import { nodeBinary, nodeVersions, runModule, startWorker } from './runtimes.mjs'
import { runService } from './service-requests.mjs'

const args = process.argv.slice(2)
const part =
  args.find((argument) => argument.startsWith('--files='))?.slice('--files='.length) ?? ''
const selectedSteps = args.filter((argument) => !argument.startsWith('--'))
const indexes = [...contractFiles.keys()].filter((index) => contractFiles[index].includes(part))

// below the root, so that packages that are not part of a bundle are found
const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = join(root, 'dist/runtimes/')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

let failures = 0

/** Prints failed tests that are not excluded, exclusions of tests that pass, and the totals. */
const report = (step, files) => {
  let [passed, failed, excluded] = [0, 0, 0]
  const unsupported = new Set()
  for (const { file, results, unsupported: names } of files) {
    for (const name of names) unsupported.add(name)
    for (const { suite, title, error } of results) {
      if (error === undefined) {
        passed++
        continue
      }
      const reason = exclusionFor(step, file, suite, title)
      if (reason === undefined) {
        failed++
        console.log(`FAIL ${step} ${file}: ${suite}: ${title}\n  ${error}`)
      } else excluded++
    }
  }
  failures += failed
  console.log(
    `${step}: ${files.length} files, ${passed} passed, ${failed} failed, ${excluded} excluded, ${unsupported.size} contracts unsupported by fetch handlers`,
  )
}

const failedFile = (index, error) => ({
  file: contractFiles[index],
  results: [{ suite: contractFiles[index], title: 'ended', error }],
  unsupported: [],
})

/** Runs the contracts in processes. If a process ends early, the next process continues with the next file. */
const runProcesses = async (step, runtime, transport) => {
  const module = join(folder, 'main.mjs')
  await bundle('harness/main.mjs', module)
  const files = []
  let rest = indexes
  while (rest.length > 0) {
    let started
    const { code, output } = await runModule(
      runtime,
      module,
      [transport, ...rest.map(String)],
      (line) => {
        if ('started' in line) started = Number(line.started)
        else if ('unhandled' in line)
          console.log(
            `${step}: unhandled rejection in ${contractFiles[started]}: ${line.unhandled}`,
          )
        else {
          files.push(line)
          started = undefined
        }
      },
    )
    if (started === undefined) break
    files.push(failedFile(started, `the process ended with ${code}: ${output.slice(-1000)}`))
    rest = rest.slice(rest.indexOf(started) + 1)
  }
  report(step, files)
}

/** Runs the contracts in a Worker: one request for each file. */
const runWorker = async (step) => {
  const script = join(folder, 'worker.mjs')
  await bundle('harness/worker.mjs', script, true)
  const worker = await startWorker(script, ['nodejs_compat', 'enable_request_signal'])
  const files = []
  for (const index of indexes)
    try {
      const response = await fetch(`${worker.url}/${index}`, {
        signal: AbortSignal.timeout(120_000),
      })
      files.push(await response.json())
    } catch (error) {
      files.push(failedFile(index, `${error} ${worker.output().slice(-500)}`))
    }
  await worker.close()
  report(step, files)
}

/** @type {Readonly<Record<string, (step: string) => Promise<void>>>} */
const steps = {
  workerd: runWorker,
  'deno-direct': (step) => runProcesses(step, 'deno', 'direct'),
  'deno-socket': (step) => runProcesses(step, 'deno', 'socket'),
  'bun-direct': (step) => runProcesses(step, 'bun', 'direct'),
  'bun-socket': (step) => runProcesses(step, 'bun', 'socket'),
  requests: async () => {
    failures += await runService(folder)
  },
  node: async (step) => {
    for (const name of nodeVersions) {
      const { status } = spawnSync(
        nodeBinary(name),
        ['--enable-source-maps', 'dist/test/suite.js', 'node/internals'],
        { cwd: root, stdio: 'inherit' },
      )
      if (status !== 0) failures++
      console.log(`${step}: ${name} exited with ${status}`)
    }
  },
}

for (const [step, run] of Object.entries(steps)) {
  if (selectedSteps.length > 0 && !selectedSteps.includes(step)) continue
  const start = performance.now()
  await run(step)
  console.log(`${step}: ${Math.round((performance.now() - start) / 1000)} s`)
}
process.exit(failures === 0 ? 0 : 1)
