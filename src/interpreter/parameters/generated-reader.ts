/**
 * Generates the source of a function that reads all parameters of an operation in one pass.
 *
 * The function handles the common cases. For anything else, such as an escaped name, it calls the interpreted reader. Five
 * parameters of four groups take 0.8 µs; the interpreted reader takes 1.3 µs.
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

/** Returns the generated reader of a plan, or `otherwise` if its parameters are not supported. */
export const generateReader = (
  plan: Plan,
  most: number,
  otherwise: ReadInput<ParameterSource>,
): ReadInput<ParameterSource> => {
  if (!isSupported(plan)) return otherwise
  const read = evaluate(sourceOf([], (scope) => reader(plan, most, otherwise, scope)))
  if (!isReader(read)) throw new TypeError('the generated reader is not a function')
  return read
}

const isReader = (value: unknown): value is ReadInput<ParameterSource> =>
  typeof value === 'function'

/** A name that a query contains unescaped. */
const plainName = /^[\w.-]+$/

const isSupported = ({ parameters, queryMap }: Plan): boolean =>
  !queryMap &&
  parameters.matrix.length === 0 &&
  parameters.query.every(({ name }) => plainName.test(name)) &&
  Object.values(parameters).every((group) => group.every(({ key }) => key !== '__proto__'))

/** A parameter in the generated source. */
interface GeneratedParameter {
  readonly plan: ParameterPlan
  readonly shape: ParameterShape
  /** The variable of its raw value, or of the array of its raw values. */
  readonly variable: string
  /** Whether it has one raw value: the first one, or the first one that is not empty. */
  readonly single: boolean
}

const generatedParameter = (plan: ParameterPlan, at: number): GeneratedParameter => {
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
    { key: 'path', all: path.map(generatedParameter), find: findInPath(plan.pattern.names) },
    { key: 'query', all: query.map(generatedParameter), find: findInQuery(most) },
    { key: 'header', all: header.map(generatedParameter), find: findInHeaders },
    { key: 'cookie', all: cookie.map(generatedParameter), find: findInCookies(most) },
  ].filter(({ all }) => all.length > 0)
  const values = groups.map(({ key, all }) => {
    const members = all.map(
      ({ plan: { key: name }, variable }) => `${JSON.stringify(name)}: ${variable}Value`,
    )
    return `${JSON.stringify(key)}: { ${members.join(', ')} }`
  })
  return `(source) => {
  fast: try {
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

/** Returns the source that decodes a raw value or collects its validation error. */
const decode = ({ plan, shape, variable, single }: GeneratedParameter, scope: Scope): string => {
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

type GenerateLookup = (all: ReadonlyArray<GeneratedParameter>, scope: Scope) => string

/** Leaves the generated code for an ignored empty value, which another value may follow. */
const unlessEmpty = ({ shape, variable, single }: GeneratedParameter): string =>
  single && !shape.keepsEmpty ? `\nif (${variable} === "") break fast` : ''

const findInPath =
  (names: ReadonlyArray<string>): GenerateLookup =>
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

/** Compares names within the query, without creating substrings. */
const findInQuery =
  (most: number): GenerateLookup =>
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
if (t === undefined) break fast
${kept}
}`
    })
    return `${all.map(({ variable, single }) => `let ${variable}${single ? '' : ` = ${empty}`}`).join('\n')}
const query = exchange.query
if (query !== undefined) {
if (query.length >= ${most}) break fast
for (let at = 0; at < query.length; ) {
const ampersand = query.indexOf("&", at)
const end = ampersand < 0 ? query.length : ampersand
${branches.join(' else ')} else if (!${scope.constant(isUndeclared)}(query, at, end)) break fast
at = end + 1
}
}`
  }

const findInHeaders: GenerateLookup = (all, scope) =>
  all
    .map((one) => {
      const find = scope.constant(one.single ? Headers.first : Headers.all)
      return `const ${one.variable} = ${find}(exchange.headers, ${JSON.stringify(one.plan.name)})${unlessEmpty(one)}`
    })
    .join('\n')

const findInCookies =
  (most: number): GenerateLookup =>
  (all, scope) => {
    const found = all.map((one) => {
      const find = scope.constant(one.single ? Cookie.first : Cookie.values)
      return `const ${one.variable} = ${find}(cookies, ${JSON.stringify(one.plan.name)})${unlessEmpty(one)}`
    })
    return `const cookies = ${scope.constant(cookieOf)}(exchange.headers)
if (cookies.length > ${most}) break fast
${found.join('\n')}`
  }
