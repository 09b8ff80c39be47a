/** A program in words: what is served, in the order of the tree, and what each operation takes and answers. */
import type { LinkTable } from '../links/link-table.ts'
import { linkVariables } from '../links/link-path.ts'
import type { Plan } from '../plan.ts'
import type { JsonRules } from '../../endpoint/internal/json-rules.ts'
import { parameterShape } from '../../codec/parameter/parameter-shape.ts'
import { durationMillis } from '../../codec/duration-millis.ts'
import * as Size from '../../codec/size.ts'
import type { Access } from '../../endpoint/internal/attributes.ts'
import { describeChain } from './explain-chain.ts'
import { describeVisibility } from './explain-visibility.ts'
import type { Inclusion } from '../../endpoint/condition.ts'
import * as Condition from '../conditions/condition.ts'
import { isBlocking } from '../../endpoint/internal/attributes.ts'
import type { CompiledTree } from '../compile.ts'
import { providerTitle } from '../../body/entity/select-body-plan.ts'

/** A line for each operation: method, template, what it reads and answers, its name. */
export const routeTable = ({ plans }: Pick<CompiledTree, 'plans'>): string => {
  const rows = plans.map((plan) => [plan.method, plan.template, mediaTypes(plan), plan.name])
  const widths = [0, 1, 2].map((column) =>
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

const mediaTypes = ({ bodies, responses }: Plan): string => {
  const read = bodies.map(({ contentType }) => contentType)
  const answered = [...responses.values()]
    .filter(({ failure }) => !failure)
    .map(({ status, alternatives }) =>
      [status, ...alternatives.map(({ contentType }) => contentType)].join(' '),
    )
  return `${read.length === 0 ? '' : `${read.join(', ')} `}-> ${answered.join(', ')}`
}

/** Everything that a program knows of its operations, a paragraph for each; then what is left out, and why. */
export const describeTree = ({
  plans,
  links,
  excludedRoutes: omissions,
  configuration,
  settings,
}: Omit<CompiledTree, 'root' | 'loggerOf'>): string => {
  const told = (inclusion: Inclusion): string =>
    `  ${Condition.formatCondition(inclusion, configuration, settings)}`
  return [
    ...plans.map((plan) =>
      [
        paragraph(plan),
        ...describeLinks(plan, links),
        ...plan.attributes.conditions.map(told),
      ].join('\n'),
    ),
    ...omissions().map(({ title: what, conditions: because }) =>
      [`left out: ${what}`, ...because.map(told)].join('\n'),
    ),
  ].join('\n\n')
}

const paragraph = (plan: Plan): string =>
  [
    `${plan.method} ${plan.template}  (${plan.name})`,
    ...Object.values(plan.parameters)
      .flat()
      .map(
        ({ group, name, codec }) =>
          `  ${group} ${name}: ${codec.name}${parameterShape(codec).keepsEscapes ? ', not decoded' : ''}`,
      ),
    ...plan.parts.map(
      ({ key, kind, isOptional, body: content }) =>
        `  form ${key}: ${content === undefined ? kind : `part ${content.contentType}${codecName(content.format)}`}${isOptional ? ' or nothing' : ''}`,
    ),
    ...(plan.queryMap ? ['  query: all parameters as a map'] : []),
    ...plan.bodies.map(({ contentType, format }) => `  body ${contentType}${codecName(format)}`),
    ...[...plan.responses.values()].flatMap(({ status, failure, alternatives }) =>
      alternatives.length === 0
        ? [`  ${failure ? 'fails' : 'answers'} ${status} without content`]
        : alternatives.map(
            ({ contentType, format, validator }) =>
              `  ${failure ? 'fails' : 'answers'} ${status} ${contentType}${codecName(format)}` +
              (validator === undefined ? '' : `, ${validator} etag`),
          ),
    ),
    ...(plan.cacheControl === undefined ? [] : [`  cache-control ${plan.cacheControl}`]),
    ...(plan.attributes.access === undefined
      ? []
      : [`  access ${accessOf(plan.attributes.access)}`]),
    ...describeVisibility(plan),
    ...(plan.attributes.compression === undefined ? [] : [`  ${plan.attributes.compression}`]),
    ...describeJson(plan.chain.entities.json),
    ...interceptors(plan),
    ...limitsOf(plan),
    ...(plan.attributes.critical ? ['  vital: answered under overload'] : []),
    ...(isBlocking(plan.attributes) ? ['  blocking: runs on a worker'] : []),
    ...(plan.chain.needs.length === 0
      ? []
      : [`  needs ${plan.chain.needs.map(({ local }) => local).join(', ')}`]),
    ...describeChain(plan.chain, plan.injectedLinks !== undefined),
  ].join('\n')

const accessOf = (access: Access): string => {
  switch (access._tag) {
    case 'PermitAll':
      return 'anybody'
    case 'DenyAll':
      return 'nobody'
    case 'Authenticated':
      return 'everybody who is known'
    case 'Roles':
      return `roles ${access.roles.join(', ')}`
  }
}

const limitsOf = ({ attributes: { limits } }: Plan): ReadonlyArray<string> =>
  Object.entries(limits).map(
    ([name, limit]: readonly [string, number]) =>
      `  limit ${name} ${name === 'time' ? durationMillis.encode(limit) : Size.format(limit)}`,
  )

const codecName = (format: Plan['bodies'][number]['format']): string =>
  ('codec' in format && format.codec !== undefined ? `: ${format.codec.name}` : '') +
  (format._tag === 'Provider' ? `, by the ${providerTitle(format)}` : '')

const interceptors = ({ chain }: Plan): ReadonlyArray<string> => {
  const { readerInterceptors, writerInterceptors } = chain.entities
  return [
    ...(readerInterceptors.length === 0 ? [] : [`  read through ${readerInterceptors.length}`]),
    ...(writerInterceptors.length === 0 ? [] : [`  written through ${writerInterceptors.length}`]),
  ].map((line) => `${line} interceptor${line.endsWith(' 1') ? '' : 's'}`)
}

/** A line, if anything is said. */
export const describeJson = ({
  library,
  serialization,
  deserialization,
}: JsonRules = {}): ReadonlyArray<string> => {
  const said = [
    ...(library === undefined ? [] : [library.name]),
    ...(serialization === undefined ? [] : ['written by a function']),
    ...(deserialization === undefined ? [] : ['read by a function']),
  ]
  return said.length === 0 ? [] : [`  json ${said.join(', ')}`]
}

export const describeLinks = (
  { name, attributes }: Plan,
  { targets }: LinkTable,
): ReadonlyArray<string> => [
  ...targets
    .filter(({ operation }) => operation === name)
    .map(({ rel, of, path, title }) =>
      [
        `  link ${rel} of ${of}`,
        ...(title === undefined ? [] : [JSON.stringify(title)]),
        ...linkVariables(path)
          .filter((slot) => slot.member?.name !== slot.name)
          .map((slot) => `{${slot.name}} from ${slot.member?.name ?? 'nothing'}`),
      ].join(', '),
    ),
  ...(attributes.linkMode === undefined ? [] : [`  sends ${attributes.linkMode} links`]),
]
