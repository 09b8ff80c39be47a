/**
 * Lines of a `.env` file that are nothing: no variable, no comment, not blank. Node's own parser drops them or puts them in
 * front of the next name, depending on its version; a line that somebody wrote is not lost in silence.
 */

/** The numbers of such lines, from 1. Lines inside quotation marks belong to their variable. */
export const malformedLines = (text: string): ReadonlyArray<number> =>
  text
    .replaceAll(/(=[ \t]*)(["'`])([\s\S]*?)\2/g, (_, before: string, _mark, inner: string) =>
      before.concat(inner.replaceAll(/[^\r\n]/g, '')),
    )
    .split(/\r\n|[\r\n]/)
    .flatMap((line, index) => (/^\s*(?:#|$)|=/.test(line) ? [] : [index + 1]))
