/** The representations that a route may receive and send, including those of filters and mappers. */
import { isFormPart } from '../endpoint/form.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import { nestedRepresentations } from './nested-representations.ts'
import type { Route } from './flatten.ts'

/** Returns all representations that a route may send, with the parts of forms. */
export const sentRepresentations = ({
  definition,
  chain,
}: Route): ReadonlyArray<AnyRepresentation> => {
  const { early, request, preMatching, mappers } = chain
  const answering = [
    ...preMatching,
    ...[...early, ...request].map(({ filter }) => filter),
    ...mappers.flat().filter((mapper) => mapper._tag === 'MapError'),
  ]
  const responses = [...definition.responses, ...answering.flatMap((one) => one.responses)]
  return [
    ...definition.produces,
    ...responses.flatMap(({ representations }) => representations),
  ].flatMap(nestedRepresentations)
}

/** Returns the representations of request bodies and form parts. */
export const receivedRepresentations = ({
  definition,
}: Route): ReadonlyArray<AnyRepresentation> => [
  ...definition.bodies,
  ...[...definition.parameters.form.values()].flatMap((one) =>
    isFormPart(one) && one.representation !== undefined ? [one.representation] : [],
  ),
]
