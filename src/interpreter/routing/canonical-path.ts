/**
 * Checks that a path is the canonical spelling of the template that it matches.
 *
 * A server in front of the tree may protect paths by comparing the path as received. Without this check, `/%61dmin/users` and
 * `/admin;/users` would reach the operation `/admin/users` although a rule for `/admin/` does not apply to them.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2
 */
import * as E from 'fp-ts/lib/Either.js'
import { decodeLiteral, splitSegments } from '../../endpoint/definition/path-pattern.ts'
import { parse } from '../../endpoint/definition/path-template.ts'
import * as Percent from '../../http/percent.ts'

/** The parts of a path template that determine its canonical spelling. */
export interface CanonicalTemplate {
  readonly template: string
  /** The names of the matrix parameters that operations with this path declare. Default: none. */
  readonly matrix?: ReadonlySet<string>
}

/**
 * Returns a function that checks a path against templates that it matches. `received` is the path without matrix parameters.
 *
 * The literal parts must not contain unnecessary percent-encoding, and all matrix parameters must be declared. Values of variables can
 * be encoded in any way.
 */
export const canonicalCheck = (
  path: string,
  received: string,
): ((
  template: CanonicalTemplate,
  captures: ReadonlyArray<{ readonly text: string }>,
) => boolean) => {
  const names = matrixNames(path)
  return ({ template, matrix }, captures) => {
    // the decoded path consists of the literals and the values, so their lengths give the positions of the literals
    let end = 0
    return (
      names.every((name) => matrix?.has(name)) &&
      canonicalLiterals(template).every((literal, index) => {
        const start = end + (captures[index - 1]?.text.length ?? 0)
        end = start + (Percent.decode(literal) ?? literal).length
        return Percent.encodeTolerated(Percent.slice(received, start, end)) === literal
      })
    )
  }
}

/** Returns the canonical spelling of the text before, between and after the variables of a template, with slashes. */
const canonicalLiterals = (template: string): ReadonlyArray<string> => {
  const parsed = parse(template)
  const texts = ['']
  const append = (text: string): void => {
    texts.push((texts.pop() ?? '') + text)
  }
  for (const parts of E.isLeft(parsed) ? [] : splitSegments(parsed.right)) {
    append('/')
    for (const part of parts)
      if (part._tag === 'Variable') texts.push('')
      else append(Percent.encodeSegment(decodeLiteral(part.text)))
  }
  return texts
}

const matrixNames = (path: string): ReadonlyArray<string> =>
  Array.from(path.matchAll(/;([^;/=]*)/g), ([, name = '']) => Percent.decode(name) ?? name)
