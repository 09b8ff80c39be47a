/** Describes a compiled tree as text. Lists the excluded routes and the operations, each with its inputs and responses. */
import type { ResponseFilter } from '../endpoint/filter.ts'
import { defaultOrder } from '../endpoint/filter.ts'
import type { FilterChain, FilterStep } from './filter-chain.ts'
import type { SingleMapper } from '../endpoint/tree/tree-scope.ts'
import { restrictedMembers, restrictionsIn } from '../codec/visibility/restrictions.ts'
import type { Restriction } from '../codec/structure/restricted-member.ts'
import { codecsOf } from './operation-representations.ts'
import type { Plan } from './plan.ts'
import type { VisibilityRules } from '../body/body-plan.ts'
import { defaultVisibility, providerTitle } from '../body/body-plan.ts'
import type { LinkTable } from './links/link-table.ts'
import type { LinkVariable } from './links/link-path.ts'
import { linkVariables } from './links/link-path.ts'
import type { JsonRules } from '../endpoint/definition/json-rules.ts'
import type { Codec } from '../codec/codec.ts'
import { parameterShape } from '../codec/schema/parameter-shape.ts'
import { durationMillis } from '../codec/duration-millis.ts'
import * as Size from '../codec/size.ts'
import type { Access, RateLimit } from '../endpoint/definition/attributes.ts'
import type { AppliedCondition } from '../endpoint/condition.ts'
import * as Condition from './conditions.ts'
import { isBlocking, rateLimitsOf } from '../endpoint/definition/attributes.ts'
import type { CompiledTree } from './compile.ts'
import { operationTitle } from '../endpoint/definition/configuration-error.ts'

/**
 * Describes a filter chain with one line per filter and error mapper. Error mappers are listed from the innermost to the
 * outermost scope.
 */
export const describeChain = (
  { forPath, early, request, response, mappers }: FilterChain,
  injectsLinks: boolean,
): ReadonlyArray<string> => [
  ...(forPath?.request ?? []).map((filter) => `  path filter${nameAndPriority(filter)}`),
  ...early.map((step) => `  pre-matching filter${describeStep(step)}`),
  ...request.map((step) => `  request filter${describeStep(step)}`),
  ...(injectsLinks ? [`  response filter injectLinks, priority ${defaultOrder.priority}`] : []),
  ...response.map((filter) => `  response filter${nameAndPriority(filter)}`),
  ...mappers.flat().map((mapper) => `  error mapper for ${mapperTarget(mapper)}`),
]

const describeStep = ({ filter }: FilterStep): string => {
  const provided = [...filter.gives.values()].map(({ key }) => key)
  const statuses = filter.responses.map(({ status }) => status)
  return lines(
    nameAndPriority(filter),
    provided.length > 0 && `provides ${provided.join(', ')}`,
    statuses.length > 0 && `may respond with ${statuses.join(', ')}`,
  ).join(', ')
}

const nameAndPriority = ({
  run,
  priority,
}: Pick<ResponseFilter, 'priority'> & { readonly run: Function }): string =>
  `${run.name === '' ? '' : ` ${run.name}`}, priority ${priority}`

const mapperTarget = (mapper: SingleMapper): string => {
  if (mapper._tag === 'Unwrap') return `causes of ${mapper.of.name}, ${mapper.when}`
  const { scope } = mapper
  switch (scope._tag) {
    case 'Class':
      return scope.of.name
    case 'Tag':
      return `errors tagged ${scope.tag}`
    case 'Guard':
      return `errors accepted by ${scope.is.name || 'a guard'}`
  }
}

/** Returns lines that describe the view and the restricted members of an operation. */
const describeVisibility = (plan: Plan): ReadonlyArray<string> => {
  const { view, secure } = plan.attributes
  const { visibility = defaultVisibility } = plan.chain.entities
  const responseBodies = [...plan.responses.values()].flatMap(({ alternatives }) => alternatives)
  const codecs = new Set(
    [...responseBodies, ...plan.bodies].flatMap(({ format }) => codecsOf(format)),
  )
  const restricted = [...codecs].flatMap((codec) =>
    restrictedMembers(codec).map(
      ([path, restriction]) =>
        `  restricted ${codec.name} ${path}: ${formatRestriction(restriction, visibility)}`,
    ),
  )
  const hasRoles = [...codecs].flatMap(restrictionsIn).some(({ _tag }) => _tag === 'Roles')
  return lines(
    view && `  view ${view.name}`,
    ...[...responseBodies, ...plan.bodies].map(
      ({ visibility: rules, contentType }) =>
        rules?.view && rules.view !== view && `  view ${rules.view.name} of ${contentType}`,
    ),
    secure === false && hasRoles && '  role restrictions disabled',
    ...new Set(restricted),
  )
}

const formatRestriction = (restriction: Restriction, { rolesOf }: VisibilityRules): string => {
  if (restriction._tag === 'View') return `view ${restriction.view.name}`
  const roles = rolesOf(restriction.roles)
  return `role${roles.length === 1 ? '' : 's'} ${roles.join(', ')}`
}

/**
 * Formats rows as lines. Cells are padded to the width of their column, and columns are separated by two spaces. The last column is
 * not padded.
 */
export const textTable = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Returns a table with one line per operation. The columns are the method, path template, media types and name. */
export const routeTable = ({ plans }: Pick<CompiledTree, 'plans'>): string =>
  textTable(plans.map((plan) => [plan.method, plan.template, mediaTypes(plan), plan.name]))

const mediaTypes = ({ bodies, responses }: Plan): string => {
  const received = bodies.map(({ contentType }) => contentType)
  const sent = [...responses.values()]
    .filter(({ failure }) => !failure)
    .map(({ status, alternatives }) =>
      [status, ...alternatives.map(({ contentType }) => contentType)].join(' '),
    )
  return `${received.length === 0 ? '' : `${received.join(', ')} `}-> ${sent.join(', ')}`
}

/** Describes each operation in one paragraph, and then lists the excluded routes and the conditions that exclude them. */
export const describeTree = ({
  plans,
  links,
  excludedRoutes,
  configuration,
  settings,
}: Omit<CompiledTree, 'root' | 'loggerOf'>): string => {
  const describeCondition = (condition: AppliedCondition): string =>
    `  ${Condition.formatCondition(condition, configuration, settings)}`
  return [
    ...plans.map((plan) =>
      [
        describePlan(plan),
        ...describeLinks(plan, links),
        ...plan.attributes.conditions.map(describeCondition),
      ].join('\n'),
    ),
    ...excludedRoutes().map(({ title, conditions }) =>
      [`excluded: ${title}`, ...conditions.map(describeCondition)].join('\n'),
    ),
  ].join('\n\n')
}

const describePlan = (plan: Plan): string =>
  lines(
    operationTitle(plan),
    ...plan.prefixParameters.map(
      ({ key, name, codec }) =>
        `  path ${name}: ${codec.name}${notDecoded(codec)}, fills the slot ${key}`,
    ),
    ...Object.values(plan.parameters)
      .flat()
      .map(({ group, name, codec }) => `  ${group} ${name}: ${codec.name}${notDecoded(codec)}`),
    ...plan.parts.map(
      ({ key, kind, isOptional, body }) =>
        `  form ${key}: ${body === undefined ? kind : `part ${body.contentType}${codecName(body.format)}`}${isOptional ? ', optional' : ''}`,
    ),
    plan.queryMap && '  query: all parameters as a map',
    ...plan.bodies.map(({ contentType, format }) => `  body ${contentType}${codecName(format)}`),
    ...[...plan.responses.values()].flatMap(({ status, failure, alternatives }) =>
      alternatives.length === 0
        ? [`  ${failure ? 'fails' : 'responds'} ${status} without a body`]
        : alternatives.map(
            ({ contentType, format, language, validator }) =>
              `  ${failure ? 'fails' : 'responds'} ${status} ${contentType}${codecName(format)}` +
              (language === undefined ? '' : `, language ${language}`) +
              (validator === undefined ? '' : `, ${validator} etag`),
          ),
    ),
    plan.cacheControl && `  cache-control ${plan.cacheControl}`,
    plan.preconditions && '  evaluates preconditions',
    plan.attributes.access && `  access ${formatAccess(plan.attributes.access)}`,
    ...describeVisibility(plan),
    plan.attributes.compression && `  ${plan.attributes.compression}`,
    describeJson(plan.chain.entities.json),
    countOf(plan.chain.entities.readerInterceptors, 'reader interceptor'),
    countOf(plan.chain.entities.writerInterceptors, 'writer interceptor'),
    ...describeLimits(plan),
    ...rateLimitsOf(plan.attributes).map(describeRateLimit),
    plan.attributes.critical && '  critical: exempt from load shedding and rate limits',
    isBlocking(plan.attributes) && '  blocking: runs on a worker',
    plan.chain.needs.length > 0 &&
      `  needs ${plan.chain.needs.map(({ local }) => local).join(', ')}`,
    ...describeChain(plan.chain, plan.injectedLinks !== undefined),
  ).join('\n')

/** Returns the lines that are present. */
const lines = (...all: ReadonlyArray<string | false | undefined>): ReadonlyArray<string> =>
  all.filter((line) => typeof line === 'string')

const countOf = (values: ReadonlyArray<unknown>, noun: string): string | false =>
  values.length > 0 && `  ${values.length} ${noun}${values.length === 1 ? '' : 's'}`

const notDecoded = (codec: Codec): string =>
  parameterShape(codec).keepsEscapes ? ', not decoded' : ''

const formatAccess = (access: Access): string => {
  switch (access._tag) {
    case 'PermitAll':
      return 'for all requests'
    case 'DenyAll':
      return 'denied'
    case 'Authenticated':
      return 'for authenticated requests'
    case 'Roles':
      return `for users with role ${access.roles.join(' or ')}`
  }
}

const describeLimits = ({ attributes: { limits } }: Plan): ReadonlyArray<string> =>
  Object.entries(limits).map(
    ([name, limit]: readonly [string, number]) => `  limit ${name} ${formatLimit(name, limit)}`,
  )

const describeRateLimit = ({ name, limit, window, rate, by }: RateLimit): string =>
  `  rate limit${name === undefined ? '' : ` ${name}`}: ${limit} in ${durationMillis.encode(window)}, ${rate.burst} at once, by ${typeof by === 'function' ? by.name || 'a function' : by}`

const formatLimit = (name: string, limit: number): string =>
  name === 'timeout'
    ? durationMillis.encode(limit)
    : name.endsWith('Size')
      ? Size.format(limit)
      : String(limit)

const codecName = (format: Plan['bodies'][number]['format']): string =>
  ('codec' in format && format.codec !== undefined ? `: ${format.codec.name}` : '') +
  (format._tag === 'Provider' ? `, ${providerTitle(format)}` : '')

const describeJson = ({ library, serialization, deserialization }: JsonRules = {}):
  | string
  | false => {
  const parts = lines(
    library?.name,
    serialization && 'custom serialization',
    deserialization && 'custom deserialization',
  )
  return parts.length > 0 && `  json ${parts.join(', ')}`
}

/** Describes the member or the slot that provides the value of a variable. */
const describeSource = ({ member, slot }: LinkVariable): string =>
  member !== undefined
    ? `from ${member.name}`
    : slot === undefined
      ? 'without a value'
      : `from the slot ${slot}`

const describeLinks = ({ name, attributes }: Plan, { targets }: LinkTable): ReadonlyArray<string> =>
  lines(
    ...targets
      .filter(({ operation }) => operation === name)
      .map(({ rel, of, path, title }) =>
        lines(
          `  link ${rel} of ${of}`,
          title === undefined ? title : JSON.stringify(title),
          ...linkVariables(path)
            .filter((variable) => variable.member?.name !== variable.name)
            .map((variable) => `{${variable.name}} ${describeSource(variable)}`),
        ).join(', '),
      ),
    attributes.linkMode && `  injects ${attributes.linkMode} links`,
  )
