/** Types of fetch handlers: the slot of the runtime. */
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import type { FetchHandler, LambdaInvocation } from '../../src/fetch.ts'
import { toFetchHandler, toLambdaHandler } from '../../src/fetch.ts'
import { get, handle, needs, path, produces, provide, routes, slot, text } from '../../src/index.ts'

interface Env {
  readonly name: string
}
const Env = slot<Env>()('env')
const Other = slot<number>()('env')
const Invocation = slot<LambdaInvocation>()('env')

const plain = pipe(
  path('/plain'),
  get(),
  produces(text),
  handle(() => ''),
)
const named = pipe(
  path('/named'),
  get(),
  needs({ env: Env }),
  produces(text),
  handle(({ needs: { env } }) => env.name),
)
const contract = pipe(path('/contract'), get(), produces(text))
declare const request: Request

// without a slot, the second argument is optional
const handler = toFetchHandler(routes({ plain }))
expectTypeOf(handler).toEqualTypeOf<FetchHandler>()
void handler(request)
void handler(request, { any: 'value' })

// with a slot, it is required and has the type of the slot
const withEnv = toFetchHandler(routes({ plain, named }), { platform: Env })
expectTypeOf(withEnv).parameters.toEqualTypeOf<[request: Request, platform: Env]>()
void withEnv(request, { name: 'a' })
// @ts-expect-error missing value of the slot
void withEnv(request)
// @ts-expect-error invalid value of the slot
void withEnv(request, { name: 1 })
toFetchHandler(routes({ named }), {
  platform: Env,
  clientAddress: (received, { name }) => `${received.url} ${name}`,
})
toFetchHandler(pipe(routes({ named }), provide({ env: { name: 'a' } })))

// @ts-expect-error the slot is not filled
toFetchHandler(routes({ named }))
// @ts-expect-error the slot has another type than the need
toFetchHandler(routes({ named }), { platform: Other })
// @ts-expect-error missing handler
toFetchHandler(routes({ contract }))
// @ts-expect-error an endpoint is not a tree
toFetchHandler(plain)

// a Lambda function fills the slot with its arguments
toLambdaHandler(routes({ plain }), { platform: Invocation })
// @ts-expect-error the slot has another type than the arguments of a Lambda function
toLambdaHandler(routes({ named }), { platform: Env })
