/** Paths of links: templates whose variables are expanded from members of an entity. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../../codec/codec.ts'
import { unrestricted } from '../../codec/visibility/unrestricted.ts'
import * as Template from '../../endpoint/internal/path-template.ts'
import * as Percent from '../../http/percent.ts'
import * as UriReference from '../../http/uri-reference.ts'
import type { EntityIdentifier } from './entity.ts'

export type LinkPath = ReadonlyArray<string | LinkVariable>

/** A variable of a link path. */
export interface LinkVariable {
  readonly name: string
  /** The codec of the path parameter. */
  readonly codec: Codec | undefined
  readonly member: LinkMember | undefined
  /** Whether it is a whole segment, where `.` and `..` would be dot segments (RFC 3986, 5.2.4). */
  readonly isSegment: boolean
}

/** The member that provides the value of a variable. */
export interface LinkMember {
  readonly name: string
  readonly codecs: ReadonlyArray<Codec>
}

/** The sources of variables. */
export interface VariableValue {
  readonly members: ReadonlyMap<string, ReadonlyArray<Codec>>
  readonly identifier: EntityIdentifier | undefined
  /** Whether a variable is located where the path identifies the entity. */
  readonly identifies: (variable: string) => boolean
}

/** Creates the path of a valid template. Variables use members of the same name, `id` uses the identifier. */
export const linkPath = (
  template: string,
  codecs: ReadonlyMap<string, Codec>,
  filling: VariableValue,
): LinkPath => {
  const parts = E.getOrElse((): Template.Template => [])(Template.parse(template))
  const memberOf = filledBy(
    Template.variables(parts).map(({ name }) => name),
    filling,
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
      isSegment:
        before?._tag === 'Literal' &&
        before.text.endsWith('/') &&
        (after === undefined || (after._tag === 'Literal' && after.text.startsWith('/'))),
    }
  })
}

/**
 * Assigns the identifier to at most one variable: that of its name, else `id`. An annotated identifier also applies to the only
 * variable that is not named after a member, if it identifies the entity; in `/tenants/{of}/books` it identifies the tenant.
 */
const filledBy = (
  variables: ReadonlyArray<string>,
  { members, identifier, identifies }: VariableValue,
): ((variable: string) => LinkMember | undefined) => {
  const place =
    identifier === undefined
      ? undefined
      : placeOf(identifier, variables, (name) => members.has(name), identifies)
  return (variable) => {
    const name = variable === place && identifier !== undefined ? identifier.member : variable
    const codecs = members.get(name)
    return codecs === undefined ? undefined : { name, codecs: codecs.map(unrestricted) }
  }
}

const placeOf = (
  { member, isMarked }: EntityIdentifier,
  variables: ReadonlyArray<string>,
  isMember: (name: string) => boolean,
  identifies: VariableValue['identifies'],
): string | undefined => {
  const named = [member, 'id'].find((name) => variables.includes(name))
  if (named !== undefined || !isMarked) return named
  const [only, ...others] = variables.filter((name) => !isMember(name))
  return only !== undefined && others.length === 0 && identifies(only) ? only : undefined
}

/** The variables of a path. */
export const linkVariables = (path: LinkPath): ReadonlyArray<LinkVariable> =>
  path.flatMap((part) => (typeof part === 'string' ? [] : [part]))

/** Expands a path. Variables without a value remain in braces. */
export const expandLinkPath = (
  path: LinkPath,
  value: unknown,
  isHidden: (member: string) => boolean,
): string =>
  path
    .map((part) =>
      typeof part === 'string' ? part : (textFor(part, value, isHidden) ?? `{${part.name}}`),
    )
    .join('')

const textFor = (
  { codec, member, isSegment }: LinkVariable,
  value: unknown,
  isHidden: (member: string) => boolean,
): string | undefined => {
  if (member === undefined || !t.UnknownRecord.is(value) || isHidden(member.name)) return undefined
  const own = value[member.name]
  if (own === undefined || own === null) return undefined
  const by = [...(codec === undefined ? [] : [codec]), ...member.codecs].find((one) => one.is(own))
  if (by === undefined) return undefined
  const encoded: unknown = by.encode(own)
  if (codec?._tag !== 'SegmentsType' || !t.UnknownArray.is(encoded))
    return textOf(encoded, isSegment)
  const texts = encoded.map((one) => textOf(one, true))
  return texts.length === 0 || texts.includes(undefined) ? undefined : texts.join('/')
}

/** Encodes a single value. Empty values match no template. */
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
