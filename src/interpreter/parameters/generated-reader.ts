/**
 * Generates the source code of a function that reads all parameters of an operation in one pass.
 *
 * The function handles the common cases and calls the interpreted reader in all others, for example, if a parameter name is
 * escaped. Reading five parameters from four groups takes 0.8 µs, compared with 1.3 µs for the interpreted reader.
 */
import * as E from 'fp-ts/lib/Either.js'
import { readSchema } from '../../codec/generated/read-schema.ts'
import { decodeExpression } from '../../codec/generated/generator/generate-decode.ts'
import type { GeneratorScope } from '../../codec/generated/generator/scope.ts'
import {
  generatedBackEnd,
  evaluate,
  sourceOf,
} from '../../codec/generated/generator/generated-back-end.ts'
import type { ParameterShape } from '../../codec/parameter/parameter-shape.ts'
import { asText, parameterShape } from '../../codec/parameter/parameter-shape.ts'
import * as Cookie from '../../http/cookie.ts'
import * as Percent from '../../http/percent.ts'
import * as Headers from '../../http/headers.ts'
import { parameterDecoder } from './decode-parameter.ts'
import type { ReadInput } from './decode-parameter.ts'
import type { ParameterPlan, Plan } from '../../compiler/plan.ts'
import type { ParameterSource } from './raw-values.ts'
import { combinedValue, cookieOf, isUndeclared, noValues } from './raw-values.ts'

/**
 * Generates the parameter reader for a plan. Returns `fallback` if the generator does not support the parameters.
 *
 * `maximum` is the maximum number of parameters in a query or `Cookie` header.
 */
export const generateReader = (
  plan: Plan,
  maximum: number,
  fallback: ReadInput<ParameterSource>,
): ReadInput<ParameterSource> => {
  if (!isSupported(plan)) return fallback
  const read = evaluate(sourceOf([], (scope) => reader(plan, maximum, fallback, scope)))
  if (!isReader(read)) throw new TypeError('the generated reader is not a function')
  return read
}

const isReader = (value: unknown): value is ReadInput<ParameterSource> =>
  typeof value === 'function'

/** Matches a parameter name that does not need to be escaped in a query. */
const plainName = /^[\w.-]+$/

const isSupported = ({ parameters, queryMap }: Plan): boolean =>
  !queryMap &&
  parameters.matrix.length === 0 &&
  parameters.query.every(({ name }) => plainName.test(name)) &&
  Object.values(parameters).every((group) => group.every(({ key }) => key !== '__proto__'))

/** A parameter in the generated source code. */
interface GeneratedParameter {
  readonly plan: ParameterPlan
  readonly shape: ParameterShape
  /** The name of the variable that holds the raw value or the array of raw values. */
  readonly variable: string
  /** Whether only one raw value is read: the first value or, if empty values are ignored, the first non-empty value. */
  readonly single: boolean
}

const generatedParameter = (plan: ParameterPlan, index: number): GeneratedParameter => {
  const shape = parameterShape(plan.codec)
  return {
    plan,
    shape,
    variable: `${plan.group}${index}`,
    single: !shape.isCollection && shape.separator === undefined,
  }
}

const reader = (
  plan: Plan,
  maximum: number,
  fallback: ReadInput<ParameterSource>,
  scope: GeneratorScope,
): string => {
  const { path, query, header, cookie } = plan.parameters
  const groups = [
    { key: 'path', all: path.map(generatedParameter), find: findInPath(plan.pattern.names) },
    { key: 'query', all: query.map(generatedParameter), find: findInQuery(maximum) },
    { key: 'header', all: header.map(generatedParameter), find: findInHeaders },
    { key: 'cookie', all: cookie.map(generatedParameter), find: findInCookies(maximum) },
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
${groups.flatMap(({ all }) => all.map((parameter) => decode(parameter, scope))).join('\n')}
    if (errors !== undefined) return ${scope.constant(E.left)}(errors)
    return ${scope.constant(E.right)}({ ${values.join(', ')} })
  } catch {}
  return ${scope.constant(fallback)}(source)
}`
}

/** Returns source code that decodes a parameter, and collects a validation error if decoding fails. */
const decode = (
  { plan, shape, variable, single }: GeneratedParameter,
  scope: GeneratorScope,
): string => {
  const value = `${variable}Value`
  const decoder = parameterDecoder(plan, false, generatedBackEnd)
  const rawValues = single ? `(${variable} === undefined ? [] : [${variable}])` : variable
  const check = `if (${value} === rejected) (errors ??= []).push(${scope.constant(decoder.validationError)}(${rawValues}))`
  const described = readSchema(plan.codec)
  if (!single || described.definitions.length > 0)
    return `const ${value} = ${scope.constant(decoder.decode)}(${rawValues})\n${check}`
  const lifted =
    shape.convert === asText
      ? variable
      : `(${variable} === undefined ? undefined : ${scope.constant(shape.convert)}(${variable}))`
  return `const ${variable}Lifted = ${lifted}
const ${value} = ${decodeExpression(described.schema, `${variable}Lifted`, scope)}
${check}`
}

type GenerateLookup = (all: ReadonlyArray<GeneratedParameter>, scope: GeneratorScope) => string

/**
 * Returns source code that switches to the fallback reader if the value is empty and empty values are ignored. The fallback is
 * needed because a non-empty value might follow.
 */
const unlessEmpty = ({ shape, variable, single }: GeneratedParameter): string =>
  single && !shape.keepsEmpty ? `\nif (${variable} === "") break fast` : ''

const findInPath =
  (names: ReadonlyArray<string>): GenerateLookup =>
  (all) =>
    all
      .map((parameter) => {
        const { plan, shape, variable, single } = parameter
        const capture = `captures[${names.indexOf(plan.key)}]`
        const text = shape.keepsEscapes ? `${capture}.raw` : `${capture}.text`
        const segments = shape.keepsEscapes ? `${capture}.rawSegments` : `${capture}.segments`
        const values = shape.isCollection ? segments : `[${text}]`
        return `const ${variable} = ${single ? text : values}${unlessEmpty(parameter)}`
      })
      .join('\n')

/** Returns source code that finds parameters in the query. The code compares names without creating substrings. */
const findInQuery =
  (maximum: number): GenerateLookup =>
  (all, scope) => {
    const empty = scope.constant(noValues)
    const branches = all.map(({ plan, shape, variable, single }) => {
      const start = JSON.stringify(`${plan.name}=`)
      const raw = `query.slice(at + ${plan.name.length + 1}, end)`
      const text = shape.keepsEscapes ? raw : `${scope.constant(Percent.decodeForm)}(${raw})`
      const store = single
        ? `if (${variable} === undefined${shape.keepsEmpty ? '' : ' && t !== ""'}) ${variable} = t`
        : `if (${variable} === ${empty}) ${variable} = [t]; else ${variable}.push(t)`
      return `if (query.startsWith(${start}, at)) {
const t = ${text}
if (t === undefined) break fast
${store}
}`
    })
    return `${all.map(({ variable, single }) => `let ${variable}${single ? '' : ` = ${empty}`}`).join('\n')}
const query = exchange.query
if (query !== undefined) {
if (query.length >= ${maximum}) break fast
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
    .map((parameter) => {
      const { shape, single, plan, variable } = parameter
      const find = shape.isCombined ? combinedValue : single ? Headers.first : Headers.all
      const found = `${scope.constant(find)}(exchange.headers, ${JSON.stringify(plan.name)})`
      if (!shape.isCombined || single)
        return `const ${variable} = ${found}${unlessEmpty(parameter)}`
      return `const ${variable}Text = ${found}
const ${variable} = ${variable}Text === undefined ? ${scope.constant(noValues)} : [${variable}Text]`
    })
    .join('\n')

const findInCookies =
  (maximum: number): GenerateLookup =>
  (all, scope) => {
    const lookups = all.map((parameter) => {
      const find = scope.constant(parameter.single ? Cookie.first : Cookie.values)
      return `const ${parameter.variable} = ${find}(cookies, ${JSON.stringify(parameter.plan.name)})${unlessEmpty(parameter)}`
    })
    return `const cookies = ${scope.constant(cookieOf)}(exchange.headers)
if (cookies.length > ${maximum}) break fast
${lookups.join('\n')}`
  }
