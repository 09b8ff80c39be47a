/** The contents that a route may read and write, whoever it is that answers. */
import { isFormPart } from '../endpoint/form.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import { nestedRepresentations } from './nested-representations.ts'
import type { Route } from './flatten.ts'

/** Everything that may be written while the route is served, with the parts of forms. */
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

/** What is read as a body, or as a part of one. */
export const receivedRepresentations = ({
  definition,
}: Route): ReadonlyArray<AnyRepresentation> => [
  ...definition.bodies,
  ...[...definition.parameters.form.values()].flatMap((one) =>
    isFormPart(one) && one.representation !== undefined ? [one.representation] : [],
  ),
]
