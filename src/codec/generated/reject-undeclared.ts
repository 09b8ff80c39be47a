/** Undeclared members of objects and records. */
import * as t from 'io-ts'
import type { OfMember } from '../structure/undeclared-members.ts'
import { ownNames, undeclaredMessage } from '../structure/undeclared-members.ts'
import * as Errors from './error-collector.ts'
import type { ObjectSchema, RecordSchema } from './schema.ts'

/** Whether an undeclared member is rejected. Each is an error of its own. */
export const rejectsAny = (
  { undeclared }: ObjectSchema | RecordSchema,
  value: Readonly<Record<string, unknown>>,
  isDeclared: OfMember,
  at: Errors.Location | undefined,
): boolean => {
  const isRejected = (name: string): boolean => !isDeclared(name) && undeclared.isRejected(name)
  const rejected = undeclared.areDropped ? [] : ownNames(value).filter(isRejected)
  for (const name of rejected) {
    if (at === undefined || Errors.stops(at)) break
    const place = Errors.childLocation(at, name, t.never, value[name])
    Errors.addError(place, value[name], undeclaredMessage)
  }
  return rejected.length > 0
}
