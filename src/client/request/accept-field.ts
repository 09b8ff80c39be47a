/** What a client says that it can read: the declared representations of all answers, the first declared with the greatest weight. */
import type { BodyPlan, ResponsePlan } from '../../body/content-plan.ts'
import * as MediaType from '../../http/media-type.ts'

/** What services say of their errors, which is no content of a success and takes nothing from one. */
const problem = 'application/problem+json'

/** The value of `Accept`. Successes come before failures, then by the weight and the order of their declaration. */
export const acceptField = (responses: Iterable<ResponsePlan>): string => {
  const all = [...responses]
  const types = [
    ...new Set(
      [...all.filter(({ failure }) => !failure), ...all.filter(({ failure }) => failure)]
        .flatMap(({ alternatives }) => byWeight(alternatives))
        .map(({ mediaType }) => MediaType.format(mediaType)),
    ),
  ]
  if (types.length === 0) return `${problem}, */*;q=0.1`
  const weighted = types.map((type, at) => `${type}${weight(at)}`)
  return types.includes(problem) ? weighted.join(', ') : [...weighted, problem].join(', ')
}

const byWeight = (alternatives: ReadonlyArray<BodyPlan>): ReadonlyArray<BodyPlan> =>
  alternatives.toSorted((a, b) => b.quality - a.quality)

const weight = (at: number): string => (at === 0 ? '' : `;q=0.${Math.max(9 - at + 1, 2)}`)
