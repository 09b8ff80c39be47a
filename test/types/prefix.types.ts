/** Types of prefixes with variables: slots that are filled, and the variables in the input of client calls. */
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import type { ClientOf } from '../../src/client.ts'
import type { Routes } from '../../src/index.ts'
import {
  get,
  handle,
  int,
  mapError,
  needs,
  optional,
  path,
  plainDate,
  prefix,
  produces,
  provide,
  query,
  reply,
  requestFilter,
  routes,
  segments,
  slot,
  string,
  text,
  withFilter,
  withMapper,
} from '../../src/index.ts'

/** Accepts the same trees as `serve`. */
declare const serve: <T, E>(api: Routes<T, {}, E>) => void

const Tenant = slot(int)('tenant')
const Name = slot<string>()('name')
const Clock = slot<{ readonly now: () => Date }>()('clock')
const Rest = slot(segments(string))('rest')

expectTypeOf(Tenant._A).toEqualTypeOf<number>()
expectTypeOf(Rest._A).toEqualTypeOf<ReadonlyArray<string>>()

const ping = pipe(
  path('/ping'),
  get(),
  produces(text),
  handle(() => 'pong'),
)
const count = pipe(
  path('/count/{id}', { id: int }),
  get(),
  needs({ tenant: Tenant }),
  query({ page: optional(int) }),
  produces(int),
  handle(({ needs: { tenant }, path: { id } }) => {
    expectTypeOf(tenant).toEqualTypeOf<number>()
    return tenant + id
  }),
)
const timed = pipe(
  path('/time'),
  get(),
  needs({ clock: Clock, tenant: Tenant }),
  produces(text),
  handle(() => ''),
)
const tenancy = requestFilter({ needs: { tenant: Tenant } }, (_, { tenant }) => {
  expectTypeOf(tenant).toEqualTypeOf<number>()
})

// a prefix fills slots
serve(pipe(routes({ count }), prefix('/t/{tenant}', { tenant: Tenant })))
serve(pipe(routes({ ping }), prefix('/t/{tenant}', { tenant: Tenant })))
serve(pipe(routes({ ping }), withFilter(tenancy), prefix('/t/{tenant}', { tenant: Tenant })))
serve(routes({ ping, nested: pipe(routes({ count }), prefix('/{t}', { t: Tenant })) }))
serve(
  pipe(
    routes({ timed, count }),
    prefix('/{tenant}', { tenant: Tenant }),
    provide({ clock: { now: () => new Date() } }),
  ),
)
serve(pipe(routes({ ping }), prefix('/{a}/{b:\\d{2}}/c', { a: Tenant, b: Name }), prefix('/d')))
serve(pipe(routes({ ping }), prefix('/literal', {})))
// @ts-expect-error the slot tenant is missing
serve(routes({ count }))
// @ts-expect-error another slot
serve(pipe(routes({ count }), prefix('/{name}', { name: Name })))
// @ts-expect-error the slot clock is missing
serve(pipe(routes({ timed }), prefix('/{tenant}', { tenant: Tenant })))
// @ts-expect-error a filter outside of the prefix
serve(pipe(routes({ ping }), prefix('/{tenant}', { tenant: Tenant }), withFilter(tenancy)))

// every variable has a slot, and every slot a variable
// @ts-expect-error a variable without a slot
prefix('/{tenant}')
// @ts-expect-error one of two variables without a slot
prefix('/{tenant}/{name}', { tenant: Tenant })
// @ts-expect-error no such variable
prefix('/{tenant}', { tenant: Tenant, name: Name })
// @ts-expect-error no variables
prefix('/t', { tenant: Tenant })
// @ts-expect-error a slot without a codec that does not accept strings
prefix('/{clock}', { clock: Clock })
// @ts-expect-error a codec is not a slot
prefix('/{tenant}', { tenant: int })
// @ts-expect-error a slot of another type with the same key
pipe(routes({ count }), prefix('/{tenant}', { tenant: slot<string>()('tenant') }))

// clients pass the variables
const api = pipe(
  routes({
    ping,
    count,
    deep: pipe(
      routes({ ping, inner: pipe(routes({ count }), prefix('/{rest}', { rest: Rest })) }),
      prefix('/{day}', { day: slot(plainDate)('day') }),
      withMapper(mapError(RangeError, () => reply(400))),
    ),
  }),
  prefix('/{name}', { name: Name }),
  prefix('/{tenant}', { tenant: Tenant }),
)
declare const library: ClientOf<typeof api>
type Path<F extends (...input: never) => unknown> = Parameters<F>[0] extends infer I
  ? I extends { readonly path: infer P }
    ? P
    : never
  : never
type Day = (typeof plainDate)['_A']

expectTypeOf<Path<typeof library.ping>>().toEqualTypeOf<{
  readonly tenant: number
  readonly name: string
}>()
expectTypeOf<Path<typeof library.count>>().toEqualTypeOf<{
  readonly id: number
  readonly tenant: number
  readonly name: string
}>()
expectTypeOf<Path<typeof library.deep.ping>>().toEqualTypeOf<{
  readonly tenant: number
  readonly name: string
  readonly day: Day
}>()
expectTypeOf<Path<typeof library.deep.inner.count>>().toEqualTypeOf<{
  readonly id: number
  readonly tenant: number
  readonly name: string
  readonly day: Day
  readonly rest: ReadonlyArray<string>
}>()
library.ping({ path: { tenant: 1, name: 'a' } })
library.count({ path: { tenant: 1, name: 'a', id: 1 }, query: { page: 1 } })
// @ts-expect-error missing variables
library.ping()
// @ts-expect-error one of two variables is missing
library.ping({ path: { tenant: 1 } })
// @ts-expect-error the wrong type
library.ping({ path: { tenant: '1', name: 'a' } })
