/** Two demo operations: one without parameters, and one with every kind of parameter. */
import { pipe } from 'fp-ts/lib/function.js'
import {
  cookie,
  form,
  get,
  handle,
  header,
  int,
  matrix,
  optional,
  path,
  post,
  produces,
  query,
  routes,
  string,
  text,
} from 'espalier'

const hello = pipe(path('/demo/hello'), produces(text))

export const sayHello = pipe(
  hello,
  get(),
  handle(() => 'Hello'),
)

export const sayEverything = pipe(
  hello,
  post('/{name}/{age:\\d+}', { age: int }),
  matrix({ variant: optional(string) }),
  query({ q: string }),
  cookie({ level: string }),
  header({ 'x-cheese-secret-handshake': string }),
  form({ smell: string }),
  handle(
    (input) =>
      `${input.path.name}/${input.path.age}/${input.matrix.variant ?? 'plain'}/${input.query.q}/${input.cookie.level}/${input.header['x-cheese-secret-handshake']}/${input.form.smell}`,
  ),
)

export const demoRoutes = routes({ sayHello, sayEverything })
