/**
 * The syntax of regular expressions, as a package reads it. The package is loaded by the first call, so that a program
 * whose expressions are plain never loads it, which takes some 4 milliseconds.
 */
import type { AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import { Lacking, isOnNode } from '../on-node.ts'

interface Package {
  readonly RegExpParser: typeof RegExpParser
  readonly visitRegExpAST: typeof visitRegExpAST
}

let loaded: Package | undefined

/** In a browser expressions are not judged; the service, which has the same ones, has judged them. */
const load = (): Package => {
  if (!isOnNode()) throw new Lacking('expressions are judged on Node alone')
  return process.getBuiltinModule('node:module').createRequire(import.meta.url)(
    '@eslint-community/regexpp',
  )
}

const regexpp = (): Package => (loaded ??= load())

/** What every engine that can run this package reads, so that a template means the same on each. */
const ecmaVersion = 2024

/** Reads an expression as the flag `u` does; throws a `SyntaxError` when it is none. */
export const parse = (source: string): AST.Pattern =>
  new (regexpp().RegExpParser)({ ecmaVersion }).parsePattern(source, 0, source.length, {
    unicode: true,
  })

/** Calls what is given for the nodes of a pattern, from outside to inside, in the order of the source. */
export const visit: typeof visitRegExpAST = (node, handlers) =>
  regexpp().visitRegExpAST(node, handlers)
