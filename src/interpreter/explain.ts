/** A program in words: what is served, in the order of the tree, and what each operation takes and answers. */
import { shapeOf } from '../codec/parameter.ts'
import { isBlocking } from '../endpoint/marks.ts'
import type { Plan } from './plan.ts'
import type { Program } from './program.ts'

/** A line for each operation: method, template, what it reads and answers, its name. */
export const table = ({ plans }: Program): string => {
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

/** Everything that a program knows of its operations, a paragraph for each. */
export const explain = (program: Program): string => program.plans.map(paragraph).join('\n\n')

const paragraph = (plan: Plan): string =>
  [
    `${plan.method} ${plan.template}  (${plan.name})`,
    ...Object.values(plan.parameters)
      .flat()
      .map(
        ({ group, name, codec }) =>
          `  ${group} ${name}: ${codec.name}${shapeOf(codec).encoded ? ', not decoded' : ''}`,
      ),
    ...(plan.queryMap ? ['  query: all parameters as a map'] : []),
    ...plan.bodies.map(({ contentType, format }) => `  body ${contentType}${codecName(format)}`),
    ...[...plan.responses.values()].flatMap(({ status, failure, alternatives }) =>
      alternatives.length === 0
        ? [`  ${failure ? 'fails' : 'answers'} ${status} without content`]
        : alternatives.map(
            ({ contentType, format }) =>
              `  ${failure ? 'fails' : 'answers'} ${status} ${contentType}${codecName(format)}`,
          ),
    ),
    ...(plan.cacheControl === undefined ? [] : [`  cache-control ${plan.cacheControl}`]),
    ...(isBlocking(plan.marks) ? ['  blocking: runs on a worker'] : []),
    ...(plan.chain.needs.length === 0
      ? []
      : [`  needs ${plan.chain.needs.map(({ local }) => local).join(', ')}`]),
  ].join('\n')

const codecName = (format: Plan['bodies'][number]['format']): string =>
  'codec' in format && format.codec !== undefined ? `: ${format.codec.name}` : ''
