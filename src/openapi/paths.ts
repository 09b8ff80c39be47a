/**
 * Groups operations by path.
 *
 * OpenAPI treats paths that differ only in the names of variables as identical. Paths that match the same requests become one path
 * item. Other paths with the same form get a fragment, which HTTP clients do not send: `/books/{slug}#books.bySlug`.
 */
import { isRight } from 'fp-ts/lib/Either.js'
import type { Plan } from '../compiler/plan.ts'
import { parse } from '../endpoint/definition/path-template.ts'
import type { TemplatePart } from '../endpoint/definition/path-template.ts'
import * as UriReference from '../http/uri-reference.ts'
import { isEqual } from './operation/unite-content.ts'
import { requiredMatrix } from './operation/parameters.ts'

/** The operations of a path item. */
export interface PathOperations {
  /** The path in the document. */
  readonly path: string
  readonly plans: ReadonlyArray<Plan>
}

/** The paths of a document, and the names of variables in it. */
export interface DocumentPaths {
  readonly paths: ReadonlyArray<PathOperations>
  readonly variableName: (operation: string, variable: string) => string
}

/** Groups plans by path. The first template of a group determines the names of its variables. */
export const groupPaths = (plans: ReadonlyArray<Plan>): DocumentPaths => {
  const groups = new Map<string, PathGroup[]>()
  const names = new Map<string, ReadonlyMap<string, string>>()
  for (const plan of plans) {
    const described = describePath(plan)
    const sameForm = groups.get(described.form) ?? []
    groups.set(described.form, sameForm)
    const group = sameForm.find(({ path, members }) => canShare(path, described, members))
    if (group === undefined) sameForm.push({ path: described, members: [described] })
    else group.members.push(described)
    const shared = group?.path.variables ?? described.variables
    names.set(
      plan.name,
      new Map(described.variables.map((name, index) => [name, shared[index] ?? name])),
    )
  }
  return {
    paths: [...groups.values()].flatMap((sameForm) =>
      sameForm.map(({ path, members }, index) => ({
        path: index === 0 ? path.text : `${path.text}#${path.plan.name}`,
        plans: members.map(({ plan }) => plan),
      })),
    ),
    variableName: (operation, variable) => names.get(operation)?.get(variable) ?? variable,
  }
}

interface PathGroup {
  readonly path: DescribedPath
  readonly members: DescribedPath[]
}

/** The path of an operation. */
interface DescribedPath {
  readonly plan: Plan
  /** The path in the document. */
  readonly text: string
  /** The path without the names and regular expressions of variables. */
  readonly form: string
  readonly variables: ReadonlyArray<string>
  /** The properties of variables that determine which requests match. */
  readonly matching: ReadonlyArray<string>
}

const describePath = (plan: Plan): DescribedPath => {
  const parsed = parse(plan.template)
  const parts = isRight(parsed) ? parsed.right : []
  const variables = parts.flatMap((part) => (part._tag === 'Variable' ? [part] : []))
  const matrix = requiredMatrix(plan).map(({ name }) => name)
  const write = (nameOf: (name: string) => string): string =>
    [
      ...parts.map((part) => textOf(part, nameOf)),
      ...matrix.map((name) => `{${nameOf(name)}}`),
    ].join('')
  return {
    plan,
    text: write((name) => name),
    form: write(() => ''),
    variables: variables.map(({ name }) => name),
    matching: [plan.pattern.key, ...variables.map(({ regex = '' }) => regex), ...matrix],
  }
}

const textOf = (part: TemplatePart, nameOf: (name: string) => string): string =>
  part._tag === 'Variable'
    ? `{${nameOf(part.name)}}`
    : UriReference.escape(part.text).replaceAll(/[?#]/g, encodeURIComponent)

/**
 * Whether an operation can be part of a path item. It must match the same paths, and if it is merged with an operation with the same
 * method, the codecs of its variables must be the same.
 */
const canShare = (
  path: DescribedPath,
  added: DescribedPath,
  members: ReadonlyArray<DescribedPath>,
): boolean =>
  isEqual(path.matching, added.matching) &&
  members
    .filter(({ plan }) => plan.method === added.plan.method)
    .every((member) => haveSameCodecs(member, added))

const haveSameCodecs = (a: DescribedPath, b: DescribedPath): boolean =>
  a.variables.every((name, index) => {
    const [first, second] = [codecOf(a, name), codecOf(b, b.variables[index] ?? '')]
    return first === second || first?.name === second?.name
  })

const codecOf = ({ plan }: DescribedPath, variable: string) =>
  [...plan.prefixParameters, ...plan.parameters.path].find(({ name }) => name === variable)?.codec
