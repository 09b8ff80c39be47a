/** What an operation hides, in words: the view that it writes, and its restricted members with who sees them. */
import { restrictedMembers, restrictionsIn } from '../../codec/visibility/restrictions.ts'
import type { Restriction } from '../../codec/visibility/restricted-member.ts'
import { codecsOf } from '../nested-representations.ts'
import type { Plan } from '../plan.ts'
import type { VisibilityRules } from '../../body/visibility.ts'
import { defaultVisibility } from '../../body/visibility.ts'

/** A line for each member, once, in the order in which contents declare them. */
export const describeVisibility = (plan: Plan): ReadonlyArray<string> => {
  const { view, secure } = plan.attributes
  const { visibility = defaultVisibility } = plan.chain.entities
  const contents = [...plan.responses.values()].flatMap(({ alternatives }) => alternatives)
  const codecs = new Set([...contents, ...plan.bodies].flatMap(({ format }) => codecsOf(format)))
  const lines = [...codecs].flatMap((codec) =>
    restrictedMembers(codec).map(
      ([path, restriction]) =>
        `  restricted ${codec.name} ${path}: ${restrictionOf(restriction, visibility)}`,
    ),
  )
  const hasRoles = [...codecs].flatMap(restrictionsIn).some(({ _tag }) => _tag === 'Roles')
  return [
    ...(view === undefined ? [] : [`  view ${view.name}`]),
    ...[...contents, ...plan.bodies].flatMap(({ visibility: own, contentType }) =>
      own?.view === undefined || own.view === view
        ? []
        : [`  view ${own.view.name} of ${contentType}`],
    ),
    ...(secure === false && hasRoles ? ['  secured fields are written for everybody'] : []),
    ...new Set(lines),
  ]
}

const restrictionOf = (restriction: Restriction, { rolesOf }: VisibilityRules): string => {
  if (restriction._tag === 'View') return `view ${restriction.view.name}`
  const roles = rolesOf(restriction.roles)
  return `role${roles.length === 1 ? '' : 's'} ${roles.join(', ')}`
}
