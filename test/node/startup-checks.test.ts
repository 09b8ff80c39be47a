/** Requirements of filters, such as the package of `jwt`, are checked before the server listens. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Jose, JwtOptions } from '../../src/filter/jwt.ts'
import { jwtBy } from '../../src/filter/jwt.ts'
import {
  authenticated,
  get,
  handle,
  jwt,
  onlyFor,
  path,
  routes,
  withFilter,
} from '../../src/index.ts'
import { describeRoutes, ConfigurationError, serve } from '../../src/node.ts'
import { inMemory } from '../../src/testing.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { describe, table } from '../support/describe.ts'

const jose: Jose = {
  jwtVerify: async () => ({ payload: {} }),
  createLocalJWKSet: (keys) => keys,
  createRemoteJWKSet: (url) => url,
  customFetch: Symbol('fetch'),
}
const jwtOptions: JwtOptions = {
  keys: new Uint8Array(32),
  issuer: 'i',
  audience: 'a',
  algorithms: ['HS256'],
}
const me = pipe(
  path('/me'),
  get(),
  authenticated,
  handle(() => undefined),
)
const remedy = 'jwt() requires the jose package: run npm install jose'
const unloadable = () => Promise.reject(new Error(remedy))
const options = { logger: silentLogger, 'fw.http.port': 0, 'fw.shutdown.grace': 0 } as const

const errorOf = async (start: () => unknown): Promise<ConfigurationError> => {
  try {
    await start()
  } catch (error) {
    if (error instanceof ConfigurationError) return error
    throw error
  }
  throw new Error('started')
}

describe('serve with a jwt filter', (test) => {
  test('loads the package once, before it listens', async () => {
    let loads = 0
    const users = jwtBy(async () => {
      loads++
      return jose
    })(jwtOptions)
    const api = pipe(
      routes({
        me,
        in: pipe(
          routes({
            me: pipe(
              path('/in'),
              get(),
              handle(() => undefined),
            ),
          }),
        ),
      }),
      withFilter(users),
    )
    const server = await serve(api, options)
    assert.is(loads, 1)
    await server.close()
  })

  test('rejects with FW-FILTER-003 if the package cannot be loaded', async () => {
    const api = pipe(routes({ me }), withFilter(jwtBy(unloadable)(jwtOptions)))
    const { issues } = await errorOf(() => serve(api, options))
    assert.equal(issues, [{ code: 'FW-FILTER-003', concerns: ['GET /me  (me)'], remedy }])
  })

  test('lists at most five operations in an error', async () => {
    const all = Object.fromEntries(
      Array.from({ length: 7 }, (_, index) => [
        `op${index}`,
        pipe(
          path(`/${index}`),
          get(),
          handle(() => undefined),
        ),
      ]),
    )
    const api = pipe(routes(all), withFilter(jwtBy(unloadable)(jwtOptions)))
    const { issues } = await errorOf(() => serve(api, options))
    assert.is(issues[0]?.concerns.length, 6)
    assert.is(issues[0]?.concerns[5], 'and 2 more')
  })

  test('reports the package together with other configuration errors', async () => {
    const other = jwtBy(() => Promise.reject(new Error('another remedy')))(jwtOptions)
    const api = pipe(routes({ me }), withFilter(jwtBy(unloadable)(jwtOptions)), withFilter(other))
    const { issues } = await errorOf(() => serve(api, options))
    assert.equal(issues.map((issue) => issue.remedy).toSorted(), ['another remedy', remedy])
  })

  test('rejects with FW-FILTER-003 if the keys are invalid', async () => {
    const api = pipe(routes({ me }), withFilter(jwt({ ...jwtOptions, keys: { keys: [1] } })))
    const { issues } = await errorOf(() => serve(api, options))
    assert.equal(
      issues.map(({ code }) => code),
      ['FW-FILTER-003'],
    )
  })

  test('does not load the package for a filter without operations', async () => {
    const users = pipe(jwtBy(unloadable)(jwtOptions), onlyFor('nothing'))
    const server = await serve(
      pipe(
        routes({
          me: pipe(
            path('/me'),
            get(),
            handle(() => undefined),
          ),
        }),
        withFilter(users),
      ),
      options,
    )
    await server.close()
  })
})

describe('a jwt filter whose package is not installed', (test) => {
  const users = jwtBy(unloadable, () => remedy)(jwtOptions)
  const api = pipe(routes({ in: pipe(routes({ me }), withFilter(users)) }))
  table(
    test,
    [
      ['is an error of serve', () => serve(api, options)],
      ['is an error of inMemory', () => inMemory(api)],
      ['is an error of describeRoutes', () => describeRoutes(api)],
    ] as const,
    async (_, start) => {
      const { issues } = await errorOf(start)
      assert.equal(issues, [{ code: 'FW-FILTER-003', concerns: ['of in'], remedy }])
    },
  )
})
