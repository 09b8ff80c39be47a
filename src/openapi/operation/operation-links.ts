/**
 * Describes the links of an entity to operations (`rel`) as OpenAPI Links. The values of path variables are members of the entity in
 * the response, or prefix variables of the current request.
 */
import { isHal } from '../../endpoint/representation.ts'
import type { BodyPlan, ResponsePlan } from '../../body/body-plan.ts'
import type { LinkTarget } from '../../compiler/links/link-path.ts'
import { linkVariables } from '../../compiler/links/link-path.ts'
import { shapeOfBody } from '../../compiler/links/operation-entity.ts'
import { operationIdOf } from '../../compiler/operation-id.ts'
import type { Plan } from '../../compiler/plan.ts'
import * as Status from '../../http/status.ts'
import type { ResponseLink } from '../openapi-document.ts'
import type { DocumentContext } from './document-context.ts'
import { present } from '../schema/present.ts'

/** Returns the links in a successful response. Only an entity in JSON has members that OpenAPI can refer to. */
export const describeLinks = (
  plan: Plan,
  { status, failure, alternatives }: ResponsePlan,
  context: DocumentContext,
): Readonly<Record<string, ResponseLink>> => {
  if (failure || !Status.isSuccess(status) || context.areWebhooks) return {}
  const shape = alternatives
    .filter(isJson)
    .map(shapeOfBody)
    .find((found) => found !== undefined)
  if (shape === undefined) return {}
  const described = context.links.targets
    .filter(({ entity, operation }) => entity === shape.entity && operation !== plan.name)
    .flatMap((target) => {
      const link = describeLink(plan, target, shape.isCollection, context)
      return link === undefined ? [] : [{ rel: target.rel, link }]
    })
  const links = new Map<string, ResponseLink>()
  for (const { rel, link } of described) {
    const name = rel.replaceAll(/[^\w.-]/g, '_')
    links.set(links.has(name) ? `${name}.${link.operationId}` : name, link)
  }
  return Object.fromEntries(links)
}

const isJson = ({ format }: BodyPlan): boolean => format._tag === 'Json' || isHal(format)

/** Returns a link, or `undefined` if the response does not determine the value of a path variable. */
const describeLink = (
  plan: Plan,
  { operation, path, title }: LinkTarget,
  isCollection: boolean,
  context: DocumentContext,
): ResponseLink | undefined => {
  const target = context.plans.get(operation)
  if (target === undefined) return undefined
  const parameters = linkVariables(path).map(({ name, member, slot }) => {
    const expression =
      member !== undefined && !isCollection
        ? `$response.body#/${pointerToken(member.name)}`
        : slot === undefined
          ? undefined
          : prefixExpression(plan, slot, context)
    return [parameterName(target, context.variableName(operation, name)), expression] as const
  })
  const known = parameters.flatMap(([name, expression]) =>
    expression === undefined ? [] : [[name, expression] as const],
  )
  return known.length < parameters.length
    ? undefined
    : {
        operationId: operationIdOf(target),
        ...present({ parameters: Object.fromEntries(known), description: title }),
      }
}

const pointerToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Returns the expression for the value of a prefix variable that fills a slot, if the operation has such a variable. */
const prefixExpression = (
  { name: operation, prefixParameters }: Plan,
  slot: string,
  { variableName }: DocumentContext,
): string | undefined => {
  const parameter = prefixParameters.find(({ key }) => key === slot)
  return parameter === undefined
    ? undefined
    : `$request.path.${variableName(operation, parameter.name)}`
}

/** Returns the name of a path parameter, with its location if another parameter has the same name. */
const parameterName = ({ parameters }: Plan, name: string): string => {
  const { query, header, cookie } = parameters
  return [...query, ...header, ...cookie].some((parameter) => parameter.name === name)
    ? `path.${name}`
    : name
}
