/** Leaves a source before its end. It never throws: nobody is left to be told of what goes wrong with that. */
import { isThenable } from '../thenable.ts'
import type { PullIterator } from './pull-iterator.ts'

export const closeIterator = (source: PullIterator): void => {
  try {
    const left = source.return?.()
    if (isThenable(left)) left.then(undefined, () => undefined)
  } catch {}
}
