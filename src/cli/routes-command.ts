/** The command `espalier routes`. */
import { accessFilterName } from '../compiler/access.ts'
import type {
  DescribedFilter,
  RouteDescription,
  TreeDescription,
} from '../compiler/route-description.ts'
import { treeDescription } from '../compiler/route-description.ts'
import { textTable } from '../compiler/explain.ts'
import { parseArguments, treeOptions } from './arguments.ts'
import { compileModule } from './compile-tree.ts'
import type { CommandTerminal } from './terminal.ts'

/** Lists the operations of a route tree as a table, or as JSON. */
export const routesCommand = async (
  args: ReadonlyArray<string>,
  terminal: CommandTerminal,
): Promise<true> => {
  const { values, module } = parseArguments('routes', args, {
    ...treeOptions,
    json: { type: 'boolean' },
  })
  const { compiled } = await compileModule('routes', module, values, terminal)
  const description = treeDescription(compiled)
  terminal.out(
    values.json === true
      ? `${JSON.stringify(description, undefined, 2)}\n`
      : formatTree(description),
  )
  return true
}

/**
 * Formats routes as a table. A route has one line for each media type or filter, if it has several. Columns without values are
 * omitted, and filters of all operations are listed below the table.
 */
export const formatTree = ({ routes, excluded }: TreeDescription): string => {
  const common = commonFilters(routes)
  const columns = columnsOf(common).filter(
    ([title, cellOf]) =>
      alwaysShown.includes(title) || routes.some((route) => cellOf(route).length > 0),
  )
  const rows = routes.flatMap((route) => linesOf(columns.map(([, cellOf]) => cellOf(route))))
  const paragraphs = [
    routes.length === 0 ? 'no operations' : textTable([columns.map(([title]) => title), ...rows]),
    ...(common.length === 0 ? [] : [`filters of all operations: ${namesOf(common).join(', ')}`]),
    ...excluded.map(({ title, conditions }) =>
      [`excluded: ${title}`, ...conditions.map((condition) => `  ${condition}`)].join('\n'),
    ),
  ]
  return `${paragraphs.join('\n\n')}\n`
}

/** A column with the lines of its cells. */
type Column = readonly [title: string, cellOf: (route: RouteDescription) => ReadonlyArray<string>]

const alwaysShown = ['METHOD', 'PATH', 'NAME']

const columnsOf = (common: ReadonlyArray<DescribedFilter>): ReadonlyArray<Column> => [
  ['METHOD', ({ method }) => [method]],
  ['PATH', ({ path }) => [path]],
  ['NAME', ({ name }) => [name]],
  ['CONSUMES', ({ consumes }) => consumes],
  ['PRODUCES', ({ produces }) => produces],
  ['ACCESS', accessOf],
  [
    'FILTERS',
    // the access rule has a column of its own
    ({ filters }) =>
      namesOf(
        filters.filter((filter) => filter.name !== accessFilterName && !includes(common, filter)),
      ),
  ],
  ['EXECUTION', ({ execution }) => (execution === 'blocking' ? [execution] : [])],
]

/** Returns the lines of a row whose cells have several lines. */
const linesOf = (
  cells: ReadonlyArray<ReadonlyArray<string>>,
): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: Math.max(...cells.map((cell) => cell.length)) }, (_, line) =>
    cells.map((cell) => cell[line] ?? ''),
  )

const accessOf = ({ access }: RouteDescription): ReadonlyArray<string> => {
  if (access === null) return []
  return access.rule === 'rolesAllowed' ? access.roles.map((role) => `role ${role}`) : [access.rule]
}

const namesOf = (filters: ReadonlyArray<DescribedFilter>): ReadonlyArray<string> => [
  ...new Set(filters.map(({ name, kind }) => (name === '' ? `(${kind} filter)` : name))),
]

/** Returns the filters that apply to every operation, if there are several operations. */
const commonFilters = (routes: ReadonlyArray<RouteDescription>): ReadonlyArray<DescribedFilter> => {
  const [first, ...others] = routes
  if (first === undefined || others.length === 0) return []
  return first.filters.filter(
    (filter) =>
      filter.name !== accessFilterName && others.every(({ filters }) => includes(filters, filter)),
  )
}

const includes = (
  filters: ReadonlyArray<DescribedFilter>,
  { name, kind, priority }: DescribedFilter,
): boolean =>
  filters.some((one) => one.name === name && one.kind === kind && one.priority === priority)
