/** Leaves a source before its end. It never throws: nobody is left to be told of what goes wrong with that. */
import { isThenable } from '../thenable.ts'
import type { Asked } from './pull-iterator.ts'

export const leave = (source: Asked): void => {
  try {
    const left = source.return?.()
    if (isThenable(left)) left.then(undefined, () => undefined)
  } catch {}
}
