/** Configuration errors of XML representations. */
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import type { ConfigurationErrorCode } from '../../endpoint/internal/configuration-error.ts'
import type { XmlFormat } from '../../xml/context/xml-format.ts'

/** An error code, and how to fix the error. */
type FormatError = readonly [code: ConfigurationErrorCode, remedy: string]

/** The errors of an XML representation that is read or written. */
export const formatErrors = ({
  codec,
  context,
  binding,
}: XmlFormat): ReadonlyArray<FormatError> => {
  const errors = binding.errors()
  if (errors.length > 0) return errors.map((remedy) => ['FW-XML-001', remedy])
  return context === undefined || context.holds(codec) || context.holds(binding.subject().codec)
    ? []
    : [['FW-XML-003', `add ${codec.name} to the XML context that applies to it`]]
}

/** The additional errors of an XML representation that is written: a custom writer receives secured members too. */
export const writerErrors = (
  { codec, hasWriter }: XmlFormat,
  secure: boolean | undefined,
): ReadonlyArray<FormatError> =>
  hasWriter && secure !== false && restrictionsIn(codec).some(({ _tag }) => _tag === 'Roles')
    ? [
        [
          'FW-FIELD-003',
          `the XML writer that applies to ${codec.name} would receive its secured fields: remove it, or declare secureSerialization(false)`,
        ],
      ]
    : []
