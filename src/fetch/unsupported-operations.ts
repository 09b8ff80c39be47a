/** Finds operations that a fetch handler cannot run, because runtimes for it have neither files nor worker threads. */
import { isFile } from '../endpoint/representation.ts'
import { isBlocking } from '../endpoint/definition/attributes.ts'
import type { ConfigurationIssue } from '../endpoint/definition/configuration-error.ts'
import { certificateAuthentication } from '../compiler/access.ts'
import type { Plan } from '../compiler/plan.ts'
import type { Program } from '../interpreter/program.ts'
import { operationTitle } from '../endpoint/definition/configuration-error.ts'

const issue = (title: string, remedy: string): ConfigurationIssue => ({
  code: 'FW-FETCH-001',
  concerns: [title],
  remedy,
})

/** Returns an error for each operation that needs a feature of the server on Node.js. */
export const unsupportedOperations = ({
  plans,
}: Pick<Program, 'plans'>): ReadonlyArray<ConfigurationIssue> => [
  ...plans.flatMap((plan) =>
    remediesFor(plan).map((remedy) => issue(operationTitle(plan), remedy)),
  ),
  ...certificateAuthentication(plans).required.map((title) =>
    issue(
      title,
      'add another authentication filter, because fetch handlers receive no client certificates',
    ),
  ),
]

const remediesFor = ({ attributes, bodies, responses }: Plan): ReadonlyArray<string> => {
  const sent = [...responses.values()].flatMap(({ alternatives }) => alternatives)
  return [
    ...(isBlocking(attributes)
      ? ['remove blocking, because fetch handlers have no worker threads']
      : []),
    ...(bodies.some(({ format }) => format._tag === 'FileBody')
      ? ['use bytes or byteStream instead of fileBody, because fetch handlers store no files']
      : []),
    ...(sent.some(({ format }) => isFile(format))
      ? ['respond with bytes or byteStream instead of file, because fetch handlers open no files']
      : []),
  ]
}
