/**
 * Creates the link targets declared by operations, and replaces the variables in link paths with the values of entity members.
 */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../../codec/codec.ts'
import { unrestricted } from '../../codec/unrestricted.ts'
import * as Template from '../../endpoint/definition/path-template.ts'
import * as Percent from '../../http/percent.ts'
import * as UriReference from '../../http/uri-reference.ts'
import type { LinkAttribute } from '../../endpoint/definition/attributes.ts'
import * as Link from '../../http/link.ts'
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import type { Plan } from '../plan.ts'
import type { OperationEntities } from './operation-entity.ts'
import { endsInVariable } from './operation-entity.ts'
import { identifierOf, membersOf } from './entity.ts'
import { toError } from '../../http/platform-value.ts'
import { operationTitle } from '../../endpoint/definition/configuration-error.ts'

/** The path of a link, as a sequence of literal text and variables. */
export type LinkPath = ReadonlyArray<string | LinkVariable>

/** A variable in a link path. */
export interface LinkVariable {
  readonly name: string
  /** The codec declared for the path parameter. */
  readonly codec: Codec | undefined
  readonly member: LinkMember | undefined
  /** The key of the slot that a prefix variable fills, or `undefined` for a variable in the template of the operation. */
  readonly slot: string | undefined
  /**
   * Whether the variable is an entire path segment. The value of such a variable cannot be `.` or `..`, because these are dot
   * segments (RFC 3986, 5.2.4).
   */
  readonly isSegment: boolean
}

/** The entity member that provides the value for a variable. */
export interface LinkMember {
  readonly name: string
  readonly codecs: ReadonlyArray<Codec>
}

/** The sources of values for variables: the members of an entity and, for prefix variables, slots. */
export interface VariableSources {
  readonly members: ReadonlyMap<string, ReadonlyArray<Codec>>
  /** The name of the member that identifies the entity. */
  readonly identifier: string | undefined
  /** The keys of the slots that prefix variables fill, by variable name. */
  readonly slots: ReadonlyMap<string, string>
  /** Whether a variable identifies the entity and not an enclosing resource. */
  readonly identifies: (variable: string) => boolean
}

/**
 * Creates a link path from a valid path template. The value of a variable is provided by the member with the same name. The
 * identifier of the entity can also provide the value of the variable `id`. The value of a prefix
 * variable that no member provides is the value of its slot in the current request.
 */
export const linkPath = (
  template: string,
  codecs: ReadonlyMap<string, Codec>,
  sources: VariableSources,
): LinkPath => {
  const parts = E.getOrElse((): Template.Template => [])(Template.parse(template))
  const memberOf = memberByVariable(
    Template.variables(parts).map(({ name }) => name),
    sources,
  )
  return parts.map((part, index) => {
    if (part._tag === 'Literal')
      return UriReference.escape(part.text).replaceAll(/[?#]/g, encodeURIComponent)
    const [before, after] = [parts[index - 1], parts[index + 1]]
    const codec = codecs.get(part.name)
    return {
      name: part.name,
      codec: codec === undefined ? undefined : unrestricted(codec),
      member: memberOf(part.name),
      slot: sources.slots.get(part.name),
      isSegment:
        before?._tag === 'Literal' &&
        before.text.endsWith('/') &&
        (after === undefined || (after._tag === 'Literal' && after.text.startsWith('/'))),
    }
  })
}

/**
 * Returns a function that finds the member that provides the value of a variable.
 *
 * The identifier provides the value of the variable with the same name or, if the template does not contain that variable, the value
 * of the variable `id`. It never provides the value of a prefix variable that does not identify the entity, even if both are named
 * `id`. Any other variable without a member of its name has no value.
 */
const memberByVariable = (
  variables: ReadonlyArray<string>,
  { members, identifier, identifies, slots }: VariableSources,
): ((variable: string) => LinkMember | undefined) => {
  const isOfScope = (variable: string): boolean => slots.has(variable) && !identifies(variable)
  const identifierVariable = [identifier, 'id'].find(
    (name) => name !== undefined && variables.includes(name) && !isOfScope(name),
  )
  return (variable) => {
    if (variable === identifier && isOfScope(variable)) return undefined
    const name = variable === identifierVariable ? (identifier ?? variable) : variable
    const codecs = members.get(name)
    return codecs === undefined ? undefined : { name, codecs: codecs.map(unrestricted) }
  }
}

/** Returns the variables in a path. */
export const linkVariables = (path: LinkPath): ReadonlyArray<LinkVariable> =>
  path.flatMap((part) => (typeof part === 'string' ? [] : [part]))

/** Values of slots, by slot key. */
export type SlotsByKey = Readonly<Record<string, unknown>>

/**
 * Replaces each variable in a path with the value of a member of `value` or, for prefix variables without such a value, with the
 * value of a slot. If the variable has no value, it remains in the path as its name in braces.
 */
export const expandLinkPath = (
  path: LinkPath,
  value: unknown,
  isHidden: (member: string) => boolean,
  slots: SlotsByKey = noSlots,
): string =>
  path
    .map((part) =>
      typeof part === 'string'
        ? part
        : (expandFromMember(part, value, isHidden) ??
          expandFromSlot(part, slots) ??
          `{${part.name}}`),
    )
    .join('')

const noSlots: SlotsByKey = Object.freeze({})

const expandFromMember = (
  variable: LinkVariable,
  value: unknown,
  isHidden: (member: string) => boolean,
): string | undefined => {
  const { member } = variable
  return member === undefined || !t.UnknownRecord.is(value) || isHidden(member.name)
    ? undefined
    : expandVariable(variable, value[member.name], member.codecs)
}

const expandFromSlot = (variable: LinkVariable, slots: SlotsByKey): string | undefined =>
  variable.slot === undefined ? undefined : expandVariable(variable, slots[variable.slot], [])

/** Encodes the value of a variable with its own codec or, if that codec does not accept the value, with one of `alternatives`. */
const expandVariable = (
  { codec, isSegment }: LinkVariable,
  value: unknown,
  alternatives: ReadonlyArray<Codec>,
): string | undefined => {
  if (value === undefined || value === null) return undefined
  const candidates = [...(codec === undefined ? [] : [codec]), ...alternatives]
  const encoder = candidates.find((candidate) => candidate.is(value))
  if (encoder === undefined) return undefined
  const encoded: unknown = encoder.encode(value)
  if (codec?._tag !== 'SegmentsType' || !t.UnknownArray.is(encoded))
    return textOf(encoded, isSegment)
  const texts = encoded.map((segment) => textOf(segment, true))
  return texts.length === 0 || texts.includes(undefined) ? undefined : texts.join('/')
}

/**
 * Converts a single value to percent-encoded text. Returns `undefined` for empty text and dot segments, because they cannot match
 * the template.
 */
const textOf = (encoded: unknown, isSegment: boolean): string | undefined => {
  switch (typeof encoded) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'bigint': {
      const text = Percent.encode(String(encoded))
      return text === '' || (isSegment && /^\.\.?$/.test(text)) ? undefined : text
    }
    default:
      return undefined
  }
}

/** Returns the link target declared by an operation, or a configuration error. */
export const linkTarget =
  (entities: OperationEntities) =>
  (plan: Plan, attribute: LinkAttribute): E.Either<ConfigurationIssue, LinkTarget> => {
    const { title, type } = attribute
    const rel = attribute.relation ?? defaultRelation(plan, entities)
    const link = {
      rel,
      ...(title === undefined ? {} : { title }),
      ...(type === undefined ? {} : { type }),
    }
    const issue = (code: ConfigurationIssue['code']) => (remedy: string) =>
      E.left<ConfigurationIssue>({
        code,
        concerns: [operationTitle(plan)],
        remedy,
      })
    const linkError = invalidLink(link)
    if (linkError !== undefined) return issue('FW-LINK-003')(linkError)
    const entity = entities.ofTarget(plan, attribute.entity)
    if (typeof entity === 'string') return issue('FW-LINK-001')(entity)
    const members = membersOf(entity.codec) ?? new Map<string, ReadonlyArray<Codec>>()
    const identifier = identifierOf(members)
    if (identifier !== undefined && typeof identifier !== 'string')
      return issue('FW-LINK-002')(
        `${entity.name} has more than one identifier (${identifier.join(', ')}): annotate one with linkId(…)`,
      )
    const parameters = [...plan.prefixParameters, ...plan.parameters.path]
    const codecs = new Map(parameters.map(({ name, codec }) => [name, codec] as const))
    const slots = new Map(plan.prefixParameters.map(({ name, key }) => [name, key] as const))
    const identifies = (variable: string): boolean =>
      identifyingVariables(plan.pattern, entities.patterns(entity.codec)).has(variable)
    const path = linkPath(plan.template, codecs, { members, identifier, identifies, slots })
    const variables = linkVariables(path).filter(({ slot }) => slot === undefined)
    return identifier === undefined &&
      variables.length > 0 &&
      variables.every(({ member }) => member === undefined)
      ? issue('FW-LINK-002')(
          `no value for {${variables[0]?.name ?? ''}}: annotate the identifier of ${entity.name} with linkId(…)`,
        )
      : E.right({ ...link, entity: entity.codec, of: entity.name, path, operation: plan.name })
  }

/**
 * Returns the variables that can identify an entity: the variable at the end of the path, if there is one, and the last variable
 * of each pattern in `patterns` that is a prefix of the path.
 */
const identifyingVariables = (
  pattern: Plan['pattern'],
  patterns: ReadonlyArray<Plan['pattern']>,
): ReadonlySet<string | undefined> => {
  const { key, names } = pattern
  const prefixes = patterns.filter((prefix) => key.startsWith(`${prefix.key}/`))
  return new Set([
    ...(endsInVariable(pattern) ? [names.at(-1)] : []),
    ...prefixes.map((prefix) => names[prefix.names.length - 1]),
  ])
}

/**
 * Returns an error message if the relation, title or type of a link is not allowed in a `Link` header. Otherwise, returns
 * `undefined`.
 */
const invalidLink = (link: Pick<LinkTarget, 'rel' | 'title' | 'type'>): string | undefined =>
  /\s/.test(link.rel)
    ? `${JSON.stringify(link.rel)} contains more than one relation type: declare only one`
    : E.match(
        (error: Error): string | undefined => error.message,
        () => undefined,
      )(E.tryCatch(() => Link.format({ target: '/', ...link }), toError))

/** Returns the default relation type for a link to an operation. */
const defaultRelation = (plan: Plan, { ofResponse }: OperationEntities): string => {
  switch (plan.method) {
    case 'GET':
      return ofResponse(plan)?.isCollection === true ? 'list' : 'self'
    case 'POST':
      return 'add'
    case 'PUT':
    case 'PATCH':
      return 'update'
    case 'DELETE':
      return 'delete'
    default:
      return plan.name.slice(plan.name.lastIndexOf('.') + 1)
  }
}

/** A link to an operation. The variables in its path have not been expanded yet. */
export interface LinkTarget {
  readonly rel: string
  readonly title?: string
  readonly type?: string
  readonly entity: Codec
  /** The name that the operation uses for the entity. It can differ from the name of the codec in `entity`. */
  readonly of: string
  readonly path: LinkPath
  /** The name of the operation that is the target of the link. */
  readonly operation: string
}
