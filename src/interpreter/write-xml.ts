/** Writes XML by the functions that its representation brings along, for who asks. */
import { isHidden, restrictionsIn } from '../codec/visibility/visibility.ts'
import type { XmlFormat } from '../endpoint/xml-format.ts'
import type { Code } from '../endpoint/internal/configuration-error.ts'
import type { Write } from './response/deferred-response.ts'
import type { Projecting } from '../body/visibility.ts'
import { guardedBy, projected, written } from './response/visibility.ts'

/**
 * Prepares writing. A tree does not start with what is wrong with its XML; of a representation that a handler gives with a
 * part of a form nobody knew before: a `TypeError` says it.
 */
export const writeXml = (format: XmlFormat, projecting: Projecting | undefined): Write => {
  const wrong = [...wrongIn(format), ...wrongWhenSent(format, projecting?.secure)]
  if (wrong.length > 0) throw new TypeError(wrong.map(([, remedy]) => remedy).join('\n'))
  const write = written(
    projected(format.codec, projecting, (projection) =>
      format.writer((member) => isHidden(member, projection)),
    ),
  )
  if (!format.hasWriter) return write
  // a function of the application's own may write by any codec
  return (value, asking) => guardedBy(projecting, asking, (one) => write(one, asking), value)
}

type Wrong = readonly [code: Code, remedy: string]

/** What is wrong with XML, wherever it stands. */
export const wrongIn = ({ codec, context, document }: XmlFormat): ReadonlyArray<Wrong> => {
  const formless = document.mistakes()
  if (formless.length > 0) return formless.map((remedy) => ['FW-XML-001', remedy])
  return context === undefined || context.holds(codec) || context.holds(document.subject().codec)
    ? []
    : [['FW-XML-003', `add ${codec.name} to the context around it`]]
}

/** What is wrong with it besides where it is sent: functions of the application's own are given values as they are. */
export const wrongWhenSent = (
  { codec, hasWriter }: XmlFormat,
  secure: boolean | undefined,
): ReadonlyArray<Wrong> =>
  hasWriter && secure !== false && restrictionsIn(codec).some(({ _tag }) => _tag === 'Roles')
    ? [
        [
          'FW-FIELD-003',
          `a writer of XML around ${codec.name} is given its secured fields: leave it out, or say secureSerialization(false)`,
        ],
      ]
    : []
