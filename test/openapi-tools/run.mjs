/**
 * Checks the OpenAPI documents with foreign tools. Arguments select steps: `validate`, `clients`, `generated`, `fuzz`. Default: all.
 * `--requests=20000` sets the number of requests of `fuzz`.
 */
import { writeDocuments } from './documents.mjs'
import { testClients } from './clients.mjs'
import { fuzz } from './fuzz.mjs'
import { testGenerated } from './generated.mjs'
import { validateDocuments } from './validate.mjs'

const [, , ...args] = process.argv
const requests = Number(/--requests=(\d+)/.exec(args.join(' '))?.[1] ?? 2000)
const selected = args.filter((argument) => !argument.startsWith('--'))
const steps = [
  ['validate', validateDocuments],
  ['clients', testClients],
  ['generated', testGenerated],
  ['fuzz', () => fuzz(requests)],
]

await writeDocuments()
for (const [name, step] of steps)
  if (selected.length === 0 || selected.includes(name)) {
    const started = performance.now()
    try {
      await step()
    } catch (error) {
      console.error(`${name}: ${error.message}`)
      process.exitCode = 1
    }
    console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
  }
