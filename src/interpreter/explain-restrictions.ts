/** What an operation hides, in words: the view that it writes, and its restricted members with who sees them. */
import type { Codec } from '../codec/codec.ts'
import { restrictedMembers, restrictionsIn } from '../codec/projection.ts'
import type { Restriction } from '../codec/restricted.ts'
import type { ContentPlan } from './content-plan.ts'
import type { Plan } from './plan.ts'
import type { Projecting } from './projecting.ts'
import { unsaid } from './projecting.ts'
import { codecOf } from './provided.ts'

/** A line for each member, once, in the order in which contents declare them. */
export const explainRestrictions = (plan: Plan): ReadonlyArray<string> => {
  const { view, secure } = plan.marks
  const { projecting = unsaid } = plan.chain.entities
  const contents = [...plan.responses.values()].flatMap(({ alternatives }) => alternatives)
  const codecs = new Set([...contents, ...plan.bodies].flatMap(codecsOf))
  const lines = [...codecs].flatMap((codec) =>
    restrictedMembers(codec).map(
      ([path, restriction]) =>
        `  restricted ${codec.name} ${path}: ${restrictionOf(restriction, projecting)}`,
    ),
  )
  const hasRoles = [...codecs].flatMap(restrictionsIn).some(({ _tag }) => _tag === 'Roles')
  return [
    ...(view === undefined ? [] : [`  view ${view.name}`]),
    ...[...contents, ...plan.bodies].flatMap(({ projecting: own, contentType }) =>
      own?.view === undefined || own.view === view
        ? []
        : [`  view ${own.view.name} of ${contentType}`],
    ),
    ...(secure === false && hasRoles ? ['  secured fields are written for everybody'] : []),
    ...new Set(lines),
  ]
}

const codecsOf = (content: ContentPlan): ReadonlyArray<Codec> => {
  const { format } = content
  if (format._tag === 'MultipartOutput')
    return (format.fields ?? []).flatMap(({ representation }) =>
      'codec' in representation.format && representation.format.codec !== undefined
        ? [representation.format.codec]
        : [],
    )
  const codec = codecOf(content)
  return codec === undefined ? [] : [codec]
}

const restrictionOf = (restriction: Restriction, { rolesOf }: Projecting): string => {
  if (restriction._tag === 'View') return `view ${restriction.view.name}`
  const roles = rolesOf(restriction.roles)
  return `role${roles.length === 1 ? '' : 's'} ${roles.join(', ')}`
}
