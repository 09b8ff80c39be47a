/** Reads the declared fields and parts of a multipart form, and collects all their validation errors. */
import type { Context } from '../../../endpoint/context.ts'
import { UnreadablePart } from '../../../endpoint/http-error.ts'
import type { RequestFailure, ValidationError } from '../../../http/failure.ts'
import type { HandlerInput } from '../../parameters/input.ts'
import { freed } from '../body-stream.ts'
import { readGroup } from '../../parameters/read-parameters.ts'
import type { PartPlan, Plan } from '../../../compiler/plan.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import type { ReadStream } from '../read-stream.ts'
import { noValues } from '../../parameters/raw-values.ts'
import type { DeclaredFields, CollectedForm, FieldKind } from './collect-form.ts'
import { collectForm } from './collect-form.ts'
import { filePartCheck, partsOf } from './parts.ts'
import { multipartLimits } from './multipart-limits.ts'
import type { ReadPart, InvalidPart } from './read-part.ts'
import { partReader } from './read-part.ts'
import { ReceivedFiles } from './received-files.ts'
import { fromPromise } from '../read-stream.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as Failures from '../../../http/failure.ts'

export const multipartFormReader = (plan: Plan, settings: Settings): ReadStream => {
  const limits = multipartLimits(settings)
  const areKept = !settings['fw.http.body.delete-uploaded-files-on-end']
  const declared = declaredBy(plan, settings)
  const read = readForm(plan, settings)
  return (chunks, stated, exchange) =>
    fromPromise(async (context) => {
      const files = new ReceivedFiles(exchange, limits, context, areKept)
      try {
        const parts = partsOf(exchange.platform, chunks, stated, limits, freed(chunks))
        const form = await read(
          await collectForm(parts, declared, files, limits, exchange.reservation),
          context,
        )
        if (E.isLeft(form)) await files.delete()
        return form
      } catch (error) {
        await files.delete()
        throw error
      }
    })
}

const declaredBy = ({ parameters, parts }: Plan, settings: Settings): DeclaredFields => ({
  names: new Map<string, FieldKind>([
    ...parameters.form.map(({ name }) => [name, 'text'] as const),
    ...parts.flatMap(({ key, kind }): ReadonlyArray<readonly [string, FieldKind]> =>
      kind === 'allUploads' ? [] : [[key, kind === 'part' ? 'structure' : 'file']],
    ),
  ]),
  acceptsAllFiles: parts.some(({ kind }) => kind === 'allUploads'),
  isFile: filePartCheck(settings),
  charset: settings['fw.rest.multipart.input-part.default-charset'],
})

type Result = E.Either<InvalidPart | ValidationError, unknown>

type ReadPartValue = (form: CollectedForm, context: Context) => Result | Promise<Result>

/** Returns the reader of a collected form. A part that cannot be read throws `UnreadablePart`. */
const readForm = (
  plan: Plan,
  settings: Settings,
): ((form: CollectedForm, context: Context) => Promise<E.Either<RequestFailure, HandlerInput>>) => {
  const fields = plan.parameters.form
  const readFields = readGroup(
    fields,
    (texts: CollectedForm['texts']) => fields.map(({ name }) => texts.get(name) ?? noValues),
    settings,
  )
  const parts = plan.parts.map((part) => [part.key, partValueReader(part, plan, settings)] as const)
  return async (form, context) => {
    const read = readFields(form.texts)
    const values: HandlerInput = E.isRight(read) && isInput(read.right) ? { ...read.right } : {}
    const errors: ValidationError[] = E.isLeft(read) ? [...read.left] : []
    const unreadable: Array<readonly [string, InvalidPart]> = []
    for (const [key, readValue] of parts) {
      const result = await readValue(form, context)
      if (E.isRight(result)) values[key] = result.right
      else if ('errors' in result.left) unreadable.push([key, result.left])
      else errors.push(result.left)
    }
    const [first] = unreadable
    if (first !== undefined) {
      const all = [...errors, ...unreadable.flatMap(([, part]) => part.errors)]
      const { errors: reported, more: truncated } = Failures.limitErrors(all)
      const [name, { cause }] = first
      throw new UnreadablePart(name, { cause, faults: reported, truncated })
    }
    return errors.length > 0 ? E.left(Failures.ofErrors('InvalidInput', errors)) : E.right(values)
  }
}

const partValueReader = (part: PartPlan, plan: Plan, settings: Settings): ReadPartValue => {
  const { key, kind, isOptional, body: content } = part
  const isOnce = settings['fw.rest.duplicate-scalar'] === 'reject'
  const failWith = (detail: string): E.Either<ValidationError, never> =>
    E.left({ in: 'form', name: key, detail })
  const single = <A, B>(list: ReadonlyArray<A>, then: (value: A) => B): B | Result => {
    const [first, ...others] = list
    if (first === undefined)
      return isOptional
        ? E.right(undefined)
        : failWith(`is required: ${kind === 'part' ? 'a part' : 'a file'}`)
    return isOnce && others.length > 0 ? failWith('must be given once') : then(first)
  }
  const all = (list: ReadonlyArray<unknown>): Result =>
    E.right(isOptional && list.length === 0 ? undefined : list)
  const read: ReadPart | undefined =
    content === undefined ? undefined : partReader(content, plan, settings)
  switch (kind) {
    case 'upload':
      return ({ uploads }) =>
        single(
          uploads.filter(({ name }) => name === key),
          (first): Result => E.right(first),
        )
    case 'uploads':
      return ({ uploads }) => all(uploads.filter(({ name }) => name === key))
    case 'allUploads':
      return ({ uploads }) => all(uploads)
    case 'part':
      return ({ structures }, context) =>
        single(structures.get(key) ?? [], (first) => read?.(first, context) ?? E.right(undefined))
  }
}

const isInput = (value: unknown): value is HandlerInput =>
  typeof value === 'object' && value !== null
