/** Generates clients from the document of the showcase, compiles them, and calls all operations of the served showcase. */
import { createClient } from '@hey-api/openapi-ts'
import { documentPath } from './documents.mjs'
import { folder, output, run, runTool, withShowcase } from './tool.mjs'

const tests = ['openapi-fetch.js', 'hey-api.js']

export const testClients = async () => {
  const input = documentPath('showcase', '3.1')
  await runTool('openapi-typescript', input, '--output', `${output}clients/showcase.ts`)
  await createClient({
    input,
    output: { path: `${output}clients/hey-api`, importFileExtension: '.js' },
    logs: { level: 'silent' },
    plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
  })
  await runTool('tsc', '--project', folder)
  for (const test of tests) {
    const { code, stdout, stderr } = await withShowcase((url) =>
      run(process.execPath, [`${output}compiled/clients/${test}`], {
        SHOWCASE: url,
        DOCUMENT: input,
      }),
    )
    if (code !== 0) throw new Error(`${test} fails\n${stdout}\n${stderr}`)
    console.log(stdout.trim())
  }
}
