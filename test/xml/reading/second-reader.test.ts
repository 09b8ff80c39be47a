/** Compares the parser with a second parser. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { parse } from '../../../src/xml/reading/parser.ts'
import { describe, law, table } from '../../support/describe.ts'
import type { Row } from '../../support/malformed-xml.ts'
import { malformedXml, unsupportedXml } from '../../support/malformed-xml.ts'
import { unicodeString } from '../../support/unicode-string.ts'
import { xmlDocument } from '../../support/xml-document.ts'
import { secondReading } from './second-xml-reader.ts'

const agree = (text: string): void => assert.equal(parse(text, 100), secondReading(text), text)

const agreeOnValidity = (text: string): void =>
  assert.is(E.isRight(parse(text, 100)), E.isRight(secondReading(text)), text)

describe('parse compared with a second parser', (test) => {
  for (const part of [1, 2, 3, 4])
    law(
      test,
      `both return the same result for arbitrary documents, part ${part}`,
      xmlDocument,
      agree,
    )
  table(
    test,
    [
      ['<a>b<!-- c -->d<?e?>f<![CDATA[ & ]]>g&lt;</a>'],
      ['<a>]]&gt;<![CDATA[]]]]><![CDATA[>]]></a>'],
      ['<a>]]<?b?>></a>'],
      [
        '<__proto__ __proto__="1" constructor="2"><constructor/><__proto__>3</__proto__></__proto__>',
      ],
      ['<a b="007" c="0x1F">1e5</a>'],
      ['<a> \n\t<b> </b> c </a>'],
      [`<a b='"' c=">" d="/"/>`],
      [`<a b="'/"/>`],
      ['<a xmlns="n"><b xmlns=""/><p:c xmlns:p="m" p:d="e"/></a>'],
      ['<a b = "\tc\r\n&#10;"\n/>'],
      [`<?xml-stylesheet href='b>'?><a/>`],
    ] as const,
    agree,
  )

  law(test, 'both accept the same text in an element', fc.string(), (inside) =>
    agreeOnValidity(`<a>${inside}</a>`),
  )
  law(test, 'both accept the same attribute values', fc.string(), (inside) =>
    agreeOnValidity(`<a b="${inside}"/>`),
  )
  law(
    test,
    'both accept the same names',
    unicodeString.filter((s) => s !== ''),
    (name) => agreeOnValidity(`<${name}/>`),
  )
  law(
    test,
    'both accept the same truncated documents',
    fc.tuple(xmlDocument, fc.nat()),
    ([text, at]) => agreeOnValidity(text.slice(0, at % text.length)),
  )
  // the second parser does not decode bytes, so it ignores the encoding, and it accepts a digit after a prefix
  const ignored = /<\?xml[^>]* encoding="(?!UTF-8)|<p:1/
  table<Row>(
    test,
    [...malformedXml, ...unsupportedXml].filter(([text]) => !ignored.test(text)),
    (text, violation) => assert.ok(E.isLeft(secondReading(text)), violation),
  )
})
