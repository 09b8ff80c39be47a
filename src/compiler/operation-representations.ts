/** Returns the representations that a route can receive and send, including those declared by its filters and error mappers. */
import type { Codec } from '../codec/codec.ts'
import { bodyFormat } from '../body/body-formats.ts'
import { nestedIn } from '../body/body-plan.ts'
import type { BodyPlan } from '../body/body-plan.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import { isFormPart } from '../endpoint/body.ts'
import type { DeclaredResponse } from '../endpoint/endpoint.ts'
import type { Route } from './flatten.ts'

/**
 * Returns the innermost representations nested in a representation. Returns the representation itself if it contains no others.
 */
const nestedRepresentations = (
  representation: AnyRepresentation,
): ReadonlyArray<AnyRepresentation> => {
  const nested = nestedIn(representation.format)
  return nested.length === 0 ? [representation] : nested.flatMap(nestedRepresentations)
}

/** Returns the codecs used by a format and its nested representations. */
export const codecsOf = (
  format: AnyRepresentation['format'] | BodyPlan['format'],
): ReadonlyArray<Codec> => {
  const { codec } = bodyFormat(format)
  const nested = nestedIn(format)
  const own: ReadonlyArray<Codec> = codec === undefined ? none : [codec]
  return nested.length === 0
    ? own
    : own.concat(nested.flatMap((representation) => codecsOf(representation.format)))
}

const none: ReadonlyArray<never> = []

/**
 * Returns all representations that a route can send. The parts of a form are returned instead of the form, and the data of an
 * event stream instead of the stream.
 */
export const sentRepresentations = (route: Route): ReadonlyArray<AnyRepresentation> => {
  const known = sentByRoute.get(route)
  if (known !== undefined) return known
  const sent = collectSent(route)
  sentByRoute.set(route, sent)
  return sent
}

const sentByRoute = new WeakMap<Route, ReadonlyArray<AnyRepresentation>>()

/** Returns the responses declared by the filters and the error mappers of an operation. */
export const responsesOfFilters = ({
  early,
  request,
  preMatching,
  mappers,
}: Route['chain']): ReadonlyArray<DeclaredResponse> =>
  [
    ...preMatching,
    ...early.map(({ filter }) => filter),
    ...request.map(({ filter }) => filter),
    ...mappers.flat().filter((mapper) => mapper._tag === 'MapError'),
  ].flatMap(({ responses }) => responses)

const collectSent = ({ definition, chain }: Route): ReadonlyArray<AnyRepresentation> => {
  const responses = definition.responses.concat(responsesOfFilters(chain))
  const sent = definition.produces.concat(
    responses.flatMap(({ representations }) => representations),
  )
  return sent.every(isInnermost) ? sent : sent.flatMap(nestedRepresentations)
}

const isInnermost = ({ format }: AnyRepresentation): boolean => nestedIn(format).length === 0

/** Returns the representations declared by a route for request bodies and form parts. */
export const receivedRepresentations = ({ definition }: Route): ReadonlyArray<AnyRepresentation> =>
  definition.bodies.concat(
    Array.from(definition.parameters.form.values()).flatMap((part) =>
      isFormPart(part) && part.representation !== undefined ? [part.representation] : [],
    ),
  )
