/** Finds the operations for which `idempotent` cannot compare requests, or cannot store responses. */
import { bodyFormat } from '../../body/body-formats.ts'
import type { ReportError } from '../../body/verify-declarations.ts'
import { isFormPart } from '../../endpoint/body.ts'
import { isBlocking } from '../../endpoint/definition/attributes.ts'
import { idempotencyOf } from '../../endpoint/definition/idempotency.ts'
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import type { Route } from '../flatten.ts'

/** Reports streams and files in the requests and responses of an idempotent operation, and operations that run on workers. */
export const verifyIdempotency = ({ definition, attributes }: Route, report: ReportError): void => {
  if (idempotencyOf(definition.method, attributes.idempotency) === undefined) return
  if (isBlocking(attributes))
    report(
      'FW-ROUTE-005',
      `idempotent does not apply to blocking operations, because workers have no common store: declare the operation as nonBlocking, or ${remedy}`,
    )
  const { bodies, produces, responses, parameters } = definition
  const sent = produces.concat(responses.flatMap(({ representations }) => representations))
  streamedTypes(bodies).forEach((type) => report('FW-ROUTE-005', cannotCompare(type)))
  parameters.form.forEach((part, name) => {
    if (isFormPart(part) && /upload/i.test(part.kind))
      report('FW-ROUTE-005', cannotCompare(`the file ${name}`))
  })
  streamedTypes(sent).forEach((type) =>
    report(
      'FW-ROUTE-005',
      `idempotent cannot store ${type}, which is a stream or a file: ${remedy}`,
    ),
  )
}

const streamedTypes = (representations: ReadonlyArray<AnyRepresentation>): ReadonlySet<string> =>
  new Set(
    representations.flatMap(({ format, mediaType }) =>
      bodyFormat(format).isStreamed ? [mediaType] : [],
    ),
  )

const remedy = 'exclude the operation with idempotent(false)'

const cannotCompare = (input: string): string =>
  `idempotent cannot compare requests with ${input}, which is not held in memory: ${remedy}`
