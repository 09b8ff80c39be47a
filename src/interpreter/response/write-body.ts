/**
 * What all writers of response bodies share: their types, the selection of the members that the caller is allowed to see, and the
 * errors for values that cannot be sent.
 *
 * Visibility is determined per request only for codecs with role restrictions. Any other codec has one writer for all callers.
 */
import { formatPointer } from '../../body/decode-body.ts'
import type { VisibilityRules } from '../../body/body-plan.ts'
import { defaultVisibility } from '../../body/body-plan.ts'
import type { Codec } from '../../codec/codec.ts'
import { isMissingFeature } from '../../codec/missing-feature.ts'
import type { RejectedPart } from '../../codec/structure/invalid-part.ts'
import { invalidPart, isValueOf, unencodablePart } from '../../codec/structure/invalid-part.ts'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import type { Visibility } from '../../codec/visibility/visibility.ts'
import { roleKey, visibilityOf } from '../../codec/visibility/visibility.ts'
import { areSamePrototype, isError, orUndefined } from '../../http/platform-value.ts'
import type { Exchange, EncodedResponse } from '../exchange.ts'
import type { ResponseContext } from '../../endpoint/context.ts'
import type { AuthenticatedPrincipal, NeededValues } from '../request-info.ts'
import type { LinkTable } from '../../compiler/links/link-table.ts'

/**
 * The parts of the request state that response writers can read. `RequestState` implements this interface, so no additional object
 * is created per request.
 */
export interface WriteContext {
  /** The exchange, possibly rewritten by a pre-matching filter. */
  readonly exchange: Exchange
  readonly authenticated: AuthenticatedPrincipal | undefined
  /** The context that the application's writers and interceptors receive. */
  readonly context: ResponseContext
  /** The URI that identifies this request in problem documents. */
  readonly instance: string
  /** The values of the variables in path prefixes, by slot key. Links under such a prefix contain them. */
  readonly prefixValues: NeededValues
  /** The links to the operations in the route tree. If `undefined`, no links are written. */
  readonly links?: LinkTable
}

/** Writes a value as the body of a response. */
export type WriteResponseBody = (
  value: unknown,
  context: WriteContext,
) => string | Uint8Array | DeferredResponse

/**
 * A function that completes a response whose head depends on the body.
 *
 * The head of a streamed response is sent only after the first element is available. The headers of a file response depend on the
 * size and the modification time of the file. The application's writers and interceptors can change the head.
 */
export type DeferredResponse = (
  head: StatusAndHeaders,
  exchange: Exchange,
) => EncodedResponse | Promise<EncodedResponse>

/** The status code and the headers of a response. */
export type StatusAndHeaders = Pick<EncodedResponse, 'status' | 'headers'>

/** Determines which members of a codec's values are visible to the caller. An anonymous caller has no roles. */
export const callerVisibility = (
  codec: Codec,
  { view, secure, rolesOf }: VisibilityRules,
  { authenticated }: Pick<WriteContext, 'authenticated'>,
): Visibility => {
  const callerRoles = authenticated?.principal.roles ?? []
  return visibilityOf(
    codec,
    view,
    (roles) => !secure || rolesOf(roles).some((role) => callerRoles.includes(role)),
  )
}

type Write<R> = (value: unknown) => R

/**
 * Creates the function that writes the values of a codec without the members that are hidden from the caller. `create` returns the
 * function that writes values with a given visibility. It is called once, or for each set of role restrictions that callers satisfy.
 */
export const visibleWriter = <R>(
  codec: Codec,
  declaredRules: VisibilityRules | undefined,
  create: (visibility: Visibility) => Write<R>,
): ((value: unknown, context: WriteContext) => R) => {
  const rules = declaredRules ?? defaultVisibility
  const rolesByKey = new Map(
    restrictionsIn(codec).flatMap((restriction) =>
      restriction._tag === 'Roles'
        ? [[roleKey(restriction.roles), rules.rolesOf(restriction.roles)] as const]
        : [],
    ),
  )
  if (rolesByKey.size === 0 || !rules.secure)
    return create(visibilityOf(codec, rules.view, () => true))
  const roleSets = [...rolesByKey.values()]
  const writers = new Map<string, Write<R>>()
  const writerFor = (context: WriteContext): Write<R> => {
    const callerRoles = context.authenticated?.principal.roles
    let granted = ''
    if (callerRoles !== undefined)
      for (const roles of roleSets)
        granted += roles.some((role) => callerRoles.includes(role)) ? '1' : '0'
    const existing = writers.get(granted)
    if (existing !== undefined) return existing
    const created = create(callerVisibility(codec, rules, context))
    if (writers.size >= maxWriters) writers.clear()
    writers.set(granted, created)
    return created
  }
  return (value, context) => writerFor(context)(value)
}

/** Maximum number of cached writers per codec. Each set of satisfied role restrictions needs its own writer. */
const maxWriters = 256

/** Creates the error for a value that a codec does not accept. `subject` is a phrase such as `value sent as application/json`. */
export const invalidResult = (subject: string, codec: Codec, value: unknown): TypeError =>
  unexpectedPart(subject, invalidPart(codec, value) ?? { path: [], codec, value })

const unexpectedPart = (subject: string, { codec, path, value }: RejectedPart): TypeError =>
  new TypeError(
    `invalid ${subject}: expected ${codec.name} at ${formatPointer(path)}, got ${typeName(value)}`,
  )

/** Returns the name of the type of a value, such as `string`, `Null` or `Date`. */
const typeName = (value: unknown): string =>
  typeof value === 'object' ? Object.prototype.toString.call(value).slice(8, -1) : typeof value

/**
 * Returns a function that calls `write`, and returns `absent` if the value has no representation. If `write` throws because the codec
 * does not accept a part of the value, or because it cannot encode the part, the error names the part. Errors of the application and
 * other errors are rethrown.
 */
export const writeResult =
  <A>(
    subject: string,
    codec: Codec,
    write: (value: unknown) => A | undefined,
    absent: A,
  ): ((value: unknown) => A) =>
  (value) => {
    try {
      return write(value) ?? absent
    } catch (error) {
      throw orUndefined(() => explain(subject, codec, value, error)) ?? error
    }
  }

/** Returns an error that names the part of a value for which `error` was thrown, or `undefined`. Throws if the value cannot be read. */
const explain = (
  subject: string,
  codec: Codec,
  value: unknown,
  error: unknown,
): TypeError | undefined => {
  if (!isEncodingError(error) || isMissingFeature(error)) return undefined
  // `is` also rejects omitted optional members, which are not the reason
  const part = unencodablePart(codec, value) ?? invalidPart(codec, value)
  if (part === undefined) return undefined
  // without the error, which is only a consequence, such as `value.toISOString is not a function`
  if (!isValueOf(part.codec, part.value)) return unexpectedPart(subject, part)
  return new TypeError(
    `invalid ${subject}: ${part.codec.name} at ${formatPointer(part.path)} cannot be encoded`,
    { cause: error },
  )
}

/** Whether an error is a `TypeError` or a `RangeError`, and not of a subclass that the application defines. */
const isEncodingError = (error: unknown): error is Error =>
  isError(error) &&
  [TypeError, RangeError].some(({ prototype }) =>
    areSamePrototype(Object.getPrototypeOf(error), prototype),
  )
