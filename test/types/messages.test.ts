/**
 * Compiles `messages.types.ts` and the files in `wrong-programs/` without their `@ts-expect-error` comments, and checks each error message:
 *
 * - its last line ends with the text of the `@ts-expect-error` comment, in which `…` also stands for any text. A second comment, which
 *   starts with `in TypeScript 5.9:`, has the text for that version if it differs. `oldest-compiler.long.test.ts` checks it.
 * - it is reported at the column of the `^` in the comment after the line, or, without such a comment, at the start of the line. If there is a
 *   second `^`, another error follows from the first one. In TypeScript 5.9, only the line is compared
 * - its length
 *
 * A title above the statement describes the error. In `wrong-programs/`, it starts with a judgement of the last line: `remedy` if it states what to
 * write, add or remove, and `difference` if it states what is unknown or of another type.
 */
import * as assert from 'uvu/assert'
import { currentCompiler } from '../support/compilers.ts'
import { describe } from '../support/describe.ts'
import { defineErrorMessages, expectedErrors } from '../support/error-messages.ts'

describe('error messages of TypeScript', defineErrorMessages(currentCompiler))

describe('judgements of the error messages', (test) => {
  test('at least two thirds of the messages for wrong programs name the remedy', () => {
    const judged = expectedErrors.filter(({ title }) => /^(?:remedy|difference)\b/.test(title))
    const remedies = judged.filter(({ title }) => title.startsWith('remedy: '))
    assert.ok(judged.length >= 100, `${judged.length} programs`)
    assert.ok(remedies.length * 3 >= judged.length * 2, `${remedies.length} of ${judged.length}`)
  })
})
