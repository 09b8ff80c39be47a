/** Paths of links: a template whose variables are filled from members of an entity. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../../codec/codec.ts'
import { unrestricted } from '../../codec/visibility/unrestricted.ts'
import * as Template from '../../endpoint/internal/path-template.ts'
import * as Percent from '../../http/percent.ts'
import * as UriReference from '../../http/uri-reference.ts'
import type { EntityIdentifier } from './entity.ts'

export type LinkPath = ReadonlyArray<string | LinkVariable>

/** The place of a variable. */
export interface LinkVariable {
  readonly name: string
  /** How the operation reads the variable. */
  readonly codec: Codec | undefined
  readonly member: LinkMember | undefined
  /** Whether it is all of a segment, in which `.` and `..` would lead elsewhere (RFC 3986, 5.2.4). */
  readonly isSegment: boolean
}

/** The member that fills a variable. */
export interface LinkMember {
  readonly name: string
  readonly codecs: ReadonlyArray<Codec>
}

/** What a path is filled from. */
export interface VariableValue {
  readonly members: ReadonlyMap<string, ReadonlyArray<Codec>>
  readonly identifier: EntityIdentifier | undefined
  /** Whether a variable stands where the template says which entity is meant. */
  readonly identifies: (variable: string) => boolean
}

/** The path of a template that was found to be right. Variables have members of the same name, `id` has the identifier. */
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
 * The identifier fills one variable at most: the one of its own name, else `id`, else, where it was marked, the only one that is
 * called like no member, if that is where the entity is identified: of `/tenants/{of}/books` it is the tenant who is.
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

/** The text of a path; variables for which there is no value stay as they are. */
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

/** A single value as it stands in a path. No template takes an empty one. */
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
