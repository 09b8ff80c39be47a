/** Describes an operation. */
import { operationIdOf } from '../../compiler/operation-id.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { Operation, ResponseObject } from '../openapi-document.ts'
import type { DocumentContext } from './document-context.ts'
import { describeParameters } from './parameters.ts'
import { describeRequestBody } from './request-body.ts'
import { describeResponses } from './responses.ts'
import { describeSecurity } from './security.ts'
import { present } from '../schema/present.ts'

/** An operation whose responses are not yet replaced by references to components. */
export interface DescribedOperation extends Operation {
  readonly responses: Readonly<Record<string, ResponseObject>>
}

/** Returns the description of an operation. */
export const describeOperation = (plan: Plan, document: DocumentContext): DescribedOperation => {
  const context = { ...document, location: plan.name }
  const { documentation } = plan.attributes
  const operationId = operationIdOf(plan)
  const { tags = [], summary = titleOf(operationId), description } = documentation ?? {}
  const { externalDocs } = documentation ?? {}
  return {
    operationId,
    summary,
    ...present({
      description,
      tags: tags.map(({ name }) => name),
      ...describeDeprecation(plan, context),
      externalDocs,
      ...describeParameters(plan, context),
      requestBody: describeRequestBody(plan, context),
    }),
    responses: describeResponses(plan, context),
    security: context.areWebhooks ? [] : describeSecurity(plan, context),
  }
}

const describeDeprecation = (
  { deprecation }: Plan,
  { plans }: DocumentContext,
): Pick<Operation, 'deprecated' | 'x-sunset' | 'x-successor'> => {
  if (deprecation === undefined) return {}
  const { sunset, successor } = deprecation
  // the document does not contain hidden operations
  const described = typeof successor === 'object' ? plans.get(successor.name) : undefined
  return {
    deprecated: true,
    ...present({
      'x-sunset': sunset?.toISOString().slice(0, 10),
      'x-successor':
        typeof successor === 'string' ? successor : described && operationIdOf(described),
    }),
  }
}

/** Returns the default summary: the words of the last key, as in `Get book` for `books.getBook`. */
const titleOf = (name: string): string => {
  const words = name
    .slice(name.lastIndexOf('.') + 1)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase()
  return words === '' ? name : `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
