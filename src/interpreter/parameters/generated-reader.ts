/**
 * Reading parameters by generated source: one function for an operation, which looks for the declared names where they stand
 * and makes the input at once. It knows what is usual; for anything else, as an escaped name, the reader of closures is asked.
 * Five parameters of four kinds take 0.8 µs, by closures 1.3.
 */
import * as E from 'fp-ts/lib/Either.js'
import { readSchema } from '../../codec/generated/read-schema.ts'
import { decoded } from '../../codec/generated/generator/generate-decode.ts'
import type { Scope } from '../../codec/generated/generator/scope.ts'
import {
  generatedBackEnd,
  evaluate,
  sourceOf,
} from '../../codec/generated/generator/generated-back-end.ts'
import type { ParameterShape } from '../../codec/parameter/parameter-shape.ts'
import { asText, parameterShape } from '../../codec/parameter/parameter-shape.ts'
import * as Cookie from '../../http/cookie.ts'
import * as Form from '../../http/form.ts'
import * as Headers from '../../http/headers.ts'
import { parameterDecoder } from './decode-parameter.ts'
import type { ReadInput } from './input.ts'
import type { ParameterPlan, Plan } from '../../compiler/plan.ts'
import type { ParameterSource } from './raw-values.ts'
import { cookieOf, isUndeclared, noValues } from './raw-values.ts'

/** The reader of a plan whose parameters are of the usual kinds; otherwise the one given. */
export const generateReader = (
  plan: Plan,
  most: number,
  otherwise: ReadInput<ParameterSource>,
): ReadInput<ParameterSource> => {
  if (!isUsual(plan)) return otherwise
  const read = evaluate(sourceOf([], (scope) => reader(plan, most, otherwise, scope)))
  if (!isReader(read)) throw new TypeError('the generated reader is none')
  return read
}

const isReader = (value: unknown): value is ReadInput<ParameterSource> =>
  typeof value === 'function'

/** A name that can be found in a query as it is. */
const plainName = /^[\w.-]+$/

const isUsual = ({ parameters, queryMap }: Plan): boolean =>
  !queryMap &&
  parameters.matrix.length === 0 &&
  parameters.query.every(({ name }) => plainName.test(name)) &&
  Object.values(parameters).every((group) => group.every(({ key }) => key !== '__proto__'))

/** A parameter as the generated function sees it. */
interface Sought {
  readonly plan: ParameterPlan
  readonly shape: ParameterShape
  /** The variable of its text, when it takes one, otherwise of its texts. */
  readonly variable: string
  /** Whether it takes one text, the first that is not empty or, if empty ones count, the first. */
  readonly single: boolean
}

const sought = (plan: ParameterPlan, at: number): Sought => {
  const shape = parameterShape(plan.codec)
  return {
    plan,
    shape,
    variable: `${plan.group}${at}`,
    single: !shape.isCollection && shape.separator === undefined,
  }
}

const reader = (
  plan: Plan,
  most: number,
  otherwise: ReadInput<ParameterSource>,
  scope: Scope,
): string => {
  const { path, query, header, cookie } = plan.parameters
  const groups = [
    { key: 'path', all: path.map(sought), find: findInPath(plan.pattern.names) },
    { key: 'query', all: query.map(sought), find: findInQuery(most) },
    { key: 'header', all: header.map(sought), find: findInHeaders },
    { key: 'cookie', all: cookie.map(sought), find: findInCookies(most) },
  ].filter(({ all }) => all.length > 0)
  const values = groups.map(({ key, all }) => {
    const members = all.map(
      ({ plan: { key: name }, variable }) => `${JSON.stringify(name)}: ${variable}Value`,
    )
    return `${JSON.stringify(key)}: { ${members.join(', ')} }`
  })
  return `(source) => {
  usual: try {
    const { exchange, captures } = source
    let errors
${groups.map(({ all, find }) => find(all, scope)).join('\n')}
${groups.flatMap(({ all }) => all.map((one) => decode(one, scope))).join('\n')}
    if (errors !== undefined) return ${scope.constant(E.left)}(errors)
    return ${scope.constant(E.right)}({ ${values.join(', ')} })
  } catch {}
  return ${scope.constant(otherwise)}(source)
}`
}

/** Decodes what was found, or says why not. */
const decode = ({ plan, shape, variable, single }: Sought, scope: Scope): string => {
  const value = `${variable}Value`
  const { decode: decodeTexts, validationError: fault } = parameterDecoder(
    plan,
    false,
    generatedBackEnd,
  )
  const texts = single ? `(${variable} === undefined ? [] : [${variable}])` : variable
  const check = `if (${value} === refused) (errors ??= []).push(${scope.constant(fault)}(${texts}))`
  const described = readSchema(plan.codec)
  if (!single || described.definitions.length > 0)
    return `const ${value} = ${scope.constant(decodeTexts)}(${texts})\n${check}`
  const lifted =
    shape.convert === asText
      ? variable
      : `(${variable} === undefined ? undefined : ${scope.constant(shape.convert)}(${variable}))`
  return `const ${variable}Lifted = ${lifted}
const ${value} = ${decoded(described.schema, `${variable}Lifted`, scope)}
${check}`
}

type FindText = (all: ReadonlyArray<Sought>, scope: Scope) => string

/** What is empty and does not count has to be looked behind. */
const unlessEmpty = ({ shape, variable, single }: Sought): string =>
  single && !shape.keepsEmpty ? `\nif (${variable} === "") break usual` : ''

const findInPath =
  (names: ReadonlyArray<string>): FindText =>
  (all) =>
    all
      .map((one) => {
        const { plan, shape, variable, single } = one
        const capture = `captures[${names.indexOf(plan.key)}]`
        const text = shape.keepsEscapes ? `${capture}.raw` : `${capture}.text`
        const segments = shape.keepsEscapes ? `${capture}.rawSegments` : `${capture}.segments`
        const texts = shape.isCollection ? segments : `[${text}]`
        return `const ${variable} = ${single ? text : texts}${unlessEmpty(one)}`
      })
      .join('\n')

/** Names are compared in place. */
const findInQuery =
  (most: number): FindText =>
  (all, scope) => {
    const empty = scope.constant(noValues)
    const branches = all.map(({ plan, shape, variable, single }) => {
      const start = JSON.stringify(`${plan.name}=`)
      const raw = `query.slice(at + ${plan.name.length + 1}, end)`
      const text = shape.keepsEscapes ? raw : `${scope.constant(Form.decode)}(${raw})`
      const kept = single
        ? `if (${variable} === undefined${shape.keepsEmpty ? '' : ' && t !== ""'}) ${variable} = t`
        : `if (${variable} === ${empty}) ${variable} = [t]; else ${variable}.push(t)`
      return `if (query.startsWith(${start}, at)) {
const t = ${text}
if (t === undefined) break usual
${kept}
}`
    })
    return `${all.map(({ variable, single }) => `let ${variable}${single ? '' : ` = ${empty}`}`).join('\n')}
const query = exchange.query
if (query !== undefined) {
if (query.length >= ${most}) break usual
for (let at = 0; at < query.length; ) {
const ampersand = query.indexOf("&", at)
const end = ampersand < 0 ? query.length : ampersand
${branches.join(' else ')} else if (!${scope.constant(isUndeclared)}(query, at, end)) break usual
at = end + 1
}
}`
  }

const findInHeaders: FindText = (all, scope) =>
  all
    .map((one) => {
      const find = scope.constant(one.single ? Headers.first : Headers.all)
      return `const ${one.variable} = ${find}(exchange.headers, ${JSON.stringify(one.plan.name)})${unlessEmpty(one)}`
    })
    .join('\n')

const findInCookies =
  (most: number): FindText =>
  (all, scope) => {
    const found = all.map((one) => {
      const find = scope.constant(one.single ? Cookie.first : Cookie.values)
      return `const ${one.variable} = ${find}(cookies, ${JSON.stringify(one.plan.name)})${unlessEmpty(one)}`
    })
    return `const cookies = ${scope.constant(cookieOf)}(exchange.headers)
if (cookies.length > ${most}) break usual
${found.join('\n')}`
  }
