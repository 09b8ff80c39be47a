/** Generates clients from all documents, compiles them, and calls all operations of the served showcase. */
import { createClient } from '@hey-api/openapi-ts'
import { documentNames, documentPath } from './documents.mjs'
import { folder, output, run, runTool, withShowcase } from './tool.mjs'

const tests = ['openapi-fetch.js', 'hey-api.js']

/** Generates clients in the folder of a name: `openapi-typescript.ts` and `hey-api/`. */
const generateClients = async (name) => {
  const input = documentPath(name, '3.1')
  const path = `${output}clients/${name}`
  await runTool('openapi-typescript', input, '--output', `${path}/openapi-typescript.ts`)
  await createClient({
    input,
    output: { path: `${path}/hey-api`, importFileExtension: '.js' },
    logs: { level: 'silent' },
    plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
  })
}

export const testClients = async () => {
  for (const name of documentNames) await generateClients(name)
  await runTool('tsc', '--project', folder)
  for (const test of tests) {
    const { code, stdout, stderr } = await withShowcase((url) =>
      run(process.execPath, [`${output}compiled/clients/${test}`], {
        SHOWCASE: url,
        DOCUMENT: documentPath('showcase', '3.1'),
      }),
    )
    if (code !== 0) throw new Error(`${test} fails\n${stdout}\n${stderr}`)
    console.log(stdout.trim())
  }
}
