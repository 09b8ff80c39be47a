/** Lints documents with the recommended rules of Redocly, and validates them with `@seriousme/openapi-schema-validator`. */
import { readFile } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import { documentNames, documentPath, versions } from './documents.mjs'
import { exceptions } from './exceptions.mjs'
import { folder, run } from './tool.mjs'

const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** Returns the problems that Redocly finds. @type {(path: string) => Promise<ReadonlyArray<{ ruleId: string, message: string, location: ReadonlyArray<{ pointer?: string }> }>>} */
const lint = async (path) => {
  const redocly = `${folder}node_modules/.bin/redocly`
  const args = ['lint', path, '--extends=recommended', '--format=json', '--max-problems=1000']
  const { stdout, stderr } = await run(redocly, args, quiet)
  if (!stdout.includes('{')) throw new Error(`redocly has no result: ${stdout}\n${stderr}`)
  return JSON.parse(stdout.slice(stdout.indexOf('{'))).problems
}

const describe = ({ ruleId, message, location }) =>
  `${ruleId} at ${location[0]?.pointer ?? '#'}: ${message}`

const validate = async (path) => {
  const { valid, errors } = await new Validator().validate(JSON.parse(await readFile(path, 'utf8')))
  return valid ? [] : [`invalid document: ${JSON.stringify(errors, null, 2)}`]
}

/** Throws an error that lists all findings, including exceptions that do not occur. */
export const validateDocuments = async () => {
  const findings = []
  for (const version of versions)
    for (const name of documentNames) {
      const path = documentPath(name, version)
      const problems = (await lint(path)).map(describe)
      const expected = exceptions.filter((exception) => exception.document === name)
      const isExpected = (problem) => expected.some(({ problem: pattern }) => pattern.test(problem))
      const found = [
        ...problems.filter((problem) => !isExpected(problem)),
        ...(await validate(path)),
      ]
      const unused = expected
        .filter(({ problem: pattern }) => !problems.some((problem) => pattern.test(problem)))
        .map(({ problem: pattern }) => `unused exception: ${pattern}`)
      const excepted = problems.length - problems.filter((problem) => !isExpected(problem)).length
      console.log(`${name} ${version}: ${found.length} findings, ${excepted} exceptions`)
      findings.push(...[...found, ...unused].map((finding) => `${name} ${version}: ${finding}`))
    }
  if (findings.length > 0) throw new Error(findings.join('\n'))
}
