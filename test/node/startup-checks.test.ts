/** Requirements of filters, such as the package of `jwt`: checked before the server listens. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Jose } from '../../src/filter/jose.ts'
import type { JwtOptions } from '../../src/filter/jwt.ts'
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
import { explain, MistakesError, serve } from '../../src/node.ts'
import { inMemory } from '../../src/testing.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { describe, table } from '../support/describe.ts'

const jose: Jose = {
  jwtVerify: async () => ({ payload: {} }),
  createLocalJWKSet: (keys) => keys,
  createRemoteJWKSet: (url) => url,
}
const rules: JwtOptions = {
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
const remedy = 'jwt() requires the package jose: npm install jose'
const unloadable = () => Promise.reject(new Error(remedy))
const options = { logger: silentLogger, 'fw.http.port': 0, 'fw.shutdown.grace': 0 } as const

const errorOf = async (start: () => unknown): Promise<MistakesError> => {
  try {
    await start()
  } catch (error) {
    if (error instanceof MistakesError) return error
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
    })(rules)
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

  test('fails if the package cannot be loaded', async () => {
    const api = pipe(routes({ me }), withFilter(jwtBy(unloadable)(rules)))
    const { mistakes } = await errorOf(() => serve(api, options))
    assert.equal(mistakes, [{ code: 'FW-FILTER-003', concerns: ['GET /me  (me)'], remedy }])
  })

  test('names at most five operations', async () => {
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
    const api = pipe(routes(all), withFilter(jwtBy(unloadable)(rules)))
    const { mistakes } = await errorOf(() => serve(api, options))
    assert.is(mistakes[0]?.concerns.length, 6)
    assert.is(mistakes[0]?.concerns[5], 'and 2 other operations')
  })

  test('reports the package together with other configuration errors', async () => {
    const other = jwtBy(() => Promise.reject(new Error('another remedy')))(rules)
    const api = pipe(routes({ me }), withFilter(jwtBy(unloadable)(rules)), withFilter(other))
    const { mistakes } = await errorOf(() => serve(api, options))
    assert.equal(mistakes.map((one) => one.remedy).toSorted(), ['another remedy', remedy])
  })

  test('fails if the keys cannot be used', async () => {
    const api = pipe(routes({ me }), withFilter(jwt({ ...rules, keys: { keys: [1] } })))
    const { mistakes } = await errorOf(() => serve(api, options))
    assert.equal(
      mistakes.map(({ code }) => code),
      ['FW-FILTER-003'],
    )
  })

  test('does not load the package for a filter that concerns no operation', async () => {
    const users = pipe(jwtBy(unloadable)(rules), onlyFor('nothing'))
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

describe('A tree with a jwt filter whose package is missing', (test) => {
  const users = jwtBy(unloadable, () => remedy)(rules)
  const api = pipe(routes({ in: pipe(routes({ me }), withFilter(users)) }))
  table(
    test,
    [
      ['serve', () => serve(api, options)],
      ['inMemory', () => inMemory(api)],
      ['explain', () => explain(api)],
    ] as const,
    async (_, start) => {
      const { mistakes } = await errorOf(start)
      assert.equal(mistakes, [{ code: 'FW-FILTER-003', concerns: ['around in'], remedy }])
    },
  )
})
