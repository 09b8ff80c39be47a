/** The chain of an operation in words, in the order in which a request meets it. A filter is called what its function is called. */
import type { ResponseFilter } from '../../endpoint/filter.ts'
import { defaultOrder } from '../../endpoint/filter.ts'
import type { FilterChain, FilterStep } from '../filter-chain.ts'
import type { SingleMapper } from '../../endpoint/internal/tree-scope.ts'

/** A line for each filter and for each mapper; the innermost mappers come first. */
export const describeChain = (
  { early, request, response, mappers }: FilterChain,
  injectsLinks: boolean,
): ReadonlyArray<string> => [
  ...early.map((step) => `  early filter${described(step)}`),
  ...request.map((step) => `  filter${described(step)}`),
  ...(injectsLinks ? [`  response filter injectLinks, priority ${defaultOrder.priority}`] : []),
  ...response.map((filter) => `  response filter${named(filter)}`),
  ...mappers.flat().map((mapper) => `  maps ${mapped(mapper)}`),
]

const described = ({ filter }: FilterStep): string => {
  const gives = [...filter.gives.values()].map(({ key }) => key)
  const statuses = filter.responses.map(({ status }) => status)
  return [
    named(filter),
    ...(gives.length === 0 ? [] : [`gives ${gives.join(', ')}`]),
    ...(statuses.length === 0 ? [] : [`answers ${statuses.join(', ')}`]),
  ].join(', ')
}

const named = ({
  run,
  priority,
}: Pick<ResponseFilter, 'priority'> & { readonly run: Function }): string =>
  `${run.name === '' ? '' : ` ${run.name}`}, priority ${priority}`

const mapped = (mapper: SingleMapper): string => {
  if (mapper._tag === 'Unwrap') return `the cause of ${mapper.of.name}, ${mapper.when}`
  const { scope } = mapper
  switch (scope._tag) {
    case 'Class':
      return scope.of.name
    case 'Tag':
      return `the error ${scope.tag}`
    case 'Guard':
      return `what ${scope.is.name || 'a guard'} accepts`
  }
}
