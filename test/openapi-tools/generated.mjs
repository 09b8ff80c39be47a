/**
 * Calls a server with a Python client of OpenAPI Generator, which sends the first JSON type of all responses as `Accept`.
 *
 * `OPENAPI_GENERATOR` is the path of `openapi-generator-cli.jar`, and `PYTHON` the path of a Python with the packages that the client
 * requires. Without the former, the step is skipped, or fails if `CI` is set.
 */
import { writeFile } from 'node:fs/promises'
import { folder, output, run, withServer } from './tool.mjs'

const { OPENAPI_GENERATOR: jar, PYTHON: python = 'python3', CI } = process.env

const succeed = async (command, args, environment) => {
  const { code, stdout, stderr } = await run(command, args, environment)
  if (code !== 0) throw new Error(`${command} exits with ${code}\n${stdout}\n${stderr}`)
  return stdout
}

export const testGenerated = async () => {
  if (jar === undefined) {
    if (CI !== undefined) throw new Error('OPENAPI_GENERATOR is not set')
    return console.log('skipped: OPENAPI_GENERATOR is not set')
  }
  const document = `${output}generated.json`
  await writeFile(document, await succeed(process.execPath, [`${folder}generated-api.mjs`]))
  const client = `${output}generated-python`
  const options = [
    '--package-name=generated_client',
    '--global-property=apiTests=false,modelTests=false',
  ]
  await succeed('java', [
    '-jar',
    jar,
    'generate',
    '-g',
    'python',
    '-i',
    document,
    '-o',
    client,
    ...options,
  ])
  const printed = await withServer([`${folder}generated-api.mjs`, 'serve'], (url) =>
    succeed(python, [`${folder}clients/generated.py`, url], {
      PYTHONPATH: client,
      PYTHONDONTWRITEBYTECODE: '1',
    }),
  )
  console.log(printed.trim())
}
