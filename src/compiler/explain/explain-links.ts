/** The links of an operation in words: what it is a target of, and which links its responses carry. */
import type { LinkTable } from '../links/link-table.ts'
import { linkVariables } from '../links/link-path.ts'
import type { Plan } from '../plan.ts'

export const describeLinks = (
  { name, marks }: Plan,
  { targets }: LinkTable,
): ReadonlyArray<string> => [
  ...targets
    .filter(({ operation }) => operation === name)
    .map(({ rel, of, path, title }) =>
      [
        `  link ${rel} of ${of}`,
        ...(title === undefined ? [] : [JSON.stringify(title)]),
        ...linkVariables(path)
          .filter((slot) => slot.member?.name !== slot.name)
          .map((slot) => `{${slot.name}} from ${slot.member?.name ?? 'nothing'}`),
      ].join(', '),
    ),
  ...(marks.linkMode === undefined ? [] : [`  sends ${marks.linkMode} links`]),
]
