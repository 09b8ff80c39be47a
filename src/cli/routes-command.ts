/** The command `espalier routes`. */
import type { DescribedFilter, RouteDescription, TreeDescription } from '../compiler/route-description.ts'
import { treeDescription } from '../compiler/route-description.ts'
import { textTable } from '../compiler/text-table.ts'
import { parseArguments, treeOptions } from './arguments.ts'
import { compileModule } from './compile-tree.ts'
import type { Terminal } from './terminal.ts'

/** Lists the operations of a route tree as a table, or as JSON. */
export const routesCommand = async (
  args: ReadonlyArray<string>,
  terminal: Terminal,
): Promise<true> => {
  const { values, module } = parseArguments('routes', args, {
    ...treeOptions,
    json: { type: 'boolean' },
  })
  const { compiled } = await compileModule('routes', module, values, terminal)
  const description = treeDescription(compiled)
  terminal.out(
    values.json === true ? `${JSON.stringify(description, undefined, 2)}\n` : formatTree(description),
  )
  return true
}

/** Formats routes as a table. Columns without values are omitted, and filters of all operations are listed below the table. */
export const formatTree = ({ routes, excluded }: TreeDescription): string => {
  const common = commonFilters(routes)
  const columns = columnsOf(common).filter(
    ([title, cellOf]) => alwaysShown.includes(title) || routes.some((route) => cellOf(route) !== ''),
  )
  const rows = [
    columns.map(([title]) => title),
    ...routes.map((route) => columns.map(([, cellOf]) => cellOf(route))),
  ]
  const [single] = routes
  return [
    routes.length === 0 ? 'no operations' : textTable(rows),
    ...(common.length === 0 || single === undefined
      ? []
      : [`filters of all operations: ${listFilters(common)}`]),
    ...excluded.map(({ title, conditions }) =>
      [`excluded: ${title}`, ...conditions.map((condition) => `  ${condition}`)].join('\n'),
    ),
    '',
  ].join('\n\n').replace(/\n\n$/, '\n')
}

type Column = readonly [title: string, cellOf: (route: RouteDescription) => string]

const alwaysShown = ['METHOD', 'PATH', 'NAME']

const columnsOf = (common: ReadonlyArray<DescribedFilter>): ReadonlyArray<Column> => [
  ['METHOD', ({ method }) => method],
  ['PATH', ({ path }) => path],
  ['CONSUMES', ({ consumes }) => consumes.join(', ')],
  ['PRODUCES', ({ produces }) => produces.join(', ')],
  ['ACCESS', accessOf],
  ['FILTERS', ({ filters }) => listFilters(filters.filter((filter) => !includes(common, filter)))],
  ['EXECUTION', ({ execution }) => (execution === 'blocking' ? execution : '')],
  ['NAME', ({ name }) => name],
]

const accessOf = ({ access }: RouteDescription): string => {
  switch (access?.rule) {
    case undefined:
      return ''
    case 'permitAll':
      return 'all'
    case 'denyAll':
      return 'denied'
    case 'authenticated':
      return 'authenticated'
    case 'rolesAllowed':
      return `role ${access?.roles.join(' or ')}`
  }
}

const listFilters = (filters: ReadonlyArray<DescribedFilter>): string =>
  [...new Set(filters.map(({ name, kind }) => (name === '' ? `(${kind} filter)` : name)))].join(', ')

/** Returns the filters that apply to every operation, if there are several operations. */
const commonFilters = (
  routes: ReadonlyArray<RouteDescription>,
): ReadonlyArray<DescribedFilter> => {
  const [first, ...others] = routes
  if (first === undefined || others.length === 0) return []
  return first.filters.filter((filter) => others.every(({ filters }) => includes(filters, filter)))
}

const includes = (
  filters: ReadonlyArray<DescribedFilter>,
  { name, kind, priority }: DescribedFilter,
): boolean =>
  filters.some((one) => one.name === name && one.kind === kind && one.priority === priority)
