/**
 * Sends generated requests to the served showcase with schemathesis, and checks the responses. All checks and phases are enabled,
 * including the links between operations. `schemathesis.toml` and `exclusions.py` list the exclusions.
 *
 * `SCHEMATHESIS` is the path of the program. Default: `schemathesis`.
 */
import { readFile } from 'node:fs/promises'
import { documentPath } from './documents.mjs'
import { folder, output, run, withShowcase } from './tool.mjs'

const program = process.env.SCHEMATHESIS ?? 'schemathesis'

/** Runs schemathesis on a document and returns the number of requests. Throws an error if it has findings. */
const runSchemathesis = async (version, ...args) => {
  const report = `${output}schemathesis-${version}.json`
  const { code, stdout, stderr } = await withShowcase((url) =>
    run(
      program,
      [
        '--config-file=schemathesis.toml',
        'run',
        documentPath('showcase', version),
        `--url=${url}`,
        '--report=json',
        `--report-json-path=${report}`,
        ...args,
      ],
      { PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' },
    ),
  )
  const [, generated] = /^ *([\d,]+) generated/m.exec(stdout) ?? []
  if (code !== 0 || generated === undefined)
    throw new Error(`schemathesis exits with ${code}\n${stdout}\n${stderr}`)
  return Number(generated.replaceAll(',', ''))
}

/** Sends at least `requests` requests. @type {(requests: number) => Promise<void>} */
export const fuzz = async (requests) => {
  // about 1,000 requests are independent of the number of examples, and each example adds 15, or 7 when operations with few inputs run out of them
  const examples = Math.max(80, Math.ceil((requests - 1000) / (requests > 5000 ? 7 : 12)))
  const count = await runSchemathesis('3.1', `--max-examples=${examples}`)
  // the schema of events, which schemathesis reads only in OpenAPI 3.2
  const events = await runSchemathesis(
    '3.2',
    '--include-path=/activity',
    '--phases=coverage,fuzzing',
  )
  console.log(`schemathesis: ${count} requests, and ${events} for event streams, no findings`)
  if (count < requests) throw new Error(`expected at least ${requests} requests, got ${count}`)
}
