/**
 * The syntax of regular expressions, as a package reads it. The package is loaded by the first call, so that a program
 * whose expressions are plain never loads it, which takes some 4 milliseconds.
 */
import type { AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'

interface Package {
  readonly RegExpParser: typeof RegExpParser
  readonly visitRegExpAST: typeof visitRegExpAST
}

/** The parser cannot be loaded here, so expressions are not checked. */
export class ParserUnavailable extends Error {}

let loaded: Package | undefined

/**
 * Loads the package. Throws `ParserUnavailable` in a browser, and in a bundle for a browser that runs on Node without the package:
 * expressions are not checked there; the server, which has the same ones, checks them.
 */
const load = (): Package => {
  if (typeof process !== 'object' || typeof process.getBuiltinModule !== 'function')
    throw new ParserUnavailable('regular expressions are checked on Node.js only')
  try {
    return process.getBuiltinModule('node:module').createRequire(import.meta.url)(
      '@eslint-community/regexpp',
    )
  } catch (error) {
    throw new ParserUnavailable('missing package @eslint-community/regexpp', { cause: error })
  }
}

const regexpp = (): Package => (loaded ??= load())

/** The version of the flag `u` in templates: what every engine that can run this package reads. */
const templateVersion = 2024

/** Parses the source of a template expression, as with the flag `u`. Throws a `SyntaxError` if it is invalid. */
export const parse = (source: string): AST.Pattern =>
  new (regexpp().RegExpParser)({ ecmaVersion: templateVersion }).parsePattern(
    source,
    0,
    source.length,
    { unicode: true },
  )

/** Parses an expression as the engine does with its flags. Throws a `SyntaxError` for syntax that the package does not know. */
export const parseExpression = ({ source, flags }: RegExp): AST.Pattern =>
  new (regexpp().RegExpParser)().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })

/** Calls what is given for the nodes of a pattern, from outside to inside, in the order of the source. */
export const visit: typeof visitRegExpAST = (node, handlers) =>
  regexpp().visitRegExpAST(node, handlers)
