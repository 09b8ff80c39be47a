/**
 * Starts nginx and HAProxy as reverse proxies. They keep connections to the server open, use one connection for the requests of all
 * clients if possible, and add the target of each request that they forward as the header `X-Proxied`.
 */
import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { newFolder } from '../../support/folder.ts'
import { waitUntil } from '../../support/wait-until.ts'

/** A running proxy. */
export interface Proxy {
  /** The path of the Unix domain socket on which it listens. */
  readonly path: string
  readonly stop: () => Promise<void>
}

/** A kind of proxy. */
export interface ProxyKind {
  readonly name: string
  /** Starts a proxy for a server on a loopback port. */
  readonly start: (port: number) => Promise<Proxy>
}

/** Proxies that are not installed. They are Debian packages with the same names. */
export const missingProxies: ReadonlyArray<string> = ['nginx', 'haproxy'].filter(
  (program) => spawnSync(program, ['-v']).status !== 0,
)

/** Returns whether a Unix domain socket accepts connections. It exists before that. */
const accepts = async (path: string): Promise<boolean> => {
  const socket = connect({ path })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Runs a program until `stop`. Its configuration listens on `path`. */
const run = async (path: string, program: string, words: ReadonlyArray<string>): Promise<Proxy> => {
  const child: ChildProcess = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const kill = (): boolean => child.kill('SIGKILL')
  process.once('exit', kill)
  await waitUntil(async () => (await accepts(path)) || child.exitCode !== null)
  if (child.exitCode !== null) throw new Error(`${program}: exit code ${child.exitCode}\n${output}`)
  return {
    path,
    stop: async () => {
      process.off('exit', kill)
      const exit = once(child, 'exit')
      kill()
      await exit
    },
  }
}

/**
 * Starts nginx with the directives of its server, and the directives of its `http` block. By default, headers with invalid names are
 * forwarded, so that more messages reach the server.
 */
const startNginx = (
  port: number,
  serverDirectives = '',
  httpDirectives = 'ignore_invalid_headers off; underscores_in_headers on; merge_slashes off;',
): Promise<Proxy> => {
  const folder = newFolder()
  const path = join(folder, 'socket')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => {
    mkdirSync(join(folder, kind))
    return `${kind}_temp_path ${join(folder, kind)};`
  })
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `
daemon off;
master_process off;
pid ${join(folder, 'pid')};
error_log stderr crit;
events { worker_connections 256; }
http {
  access_log off;
  ${temporary.join('\n  ')}
  ${httpDirectives}
  upstream server { server 127.0.0.1:${port}; keepalive 1; }
  server {
    listen unix:${path};
    ${serverDirectives}
    location / {
      proxy_pass http://server;
      proxy_http_version 1.1;
      proxy_request_buffering off;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Proxied $request_uri;
    }
  }
}
`,
  )
  return run(path, 'nginx', ['-e', 'stderr', '-c', file])
}

const startHaproxy =
  (...options: ReadonlyArray<string>) =>
  (port: number): Promise<Proxy> => {
    const folder = newFolder()
    const path = join(folder, 'socket')
    const file = join(folder, 'haproxy.cfg')
    writeFileSync(
      file,
      `
global
  nbthread 1
defaults
  mode http
  timeout connect 5s
  timeout client 10s
  timeout server 10s
  retry-on conn-failure empty-response
  http-reuse always
listen proxy
  bind unix@${path}
  ${options.join('\n  ')}
  http-request set-header X-Proxied %[pathq]
  server server 127.0.0.1:${port} pool-max-conn 1
`,
    )
    return run(path, 'haproxy', ['-db', '-f', file])
  }

/** Proxies that forbid `/admin/`, with their default settings otherwise. */
export const proxiesWithRules: ReadonlyArray<ProxyKind> = [
  { name: 'nginx', start: (port) => startNginx(port, 'location /admin/ { return 403; }', '') },
  { name: 'HAProxy', start: startHaproxy('http-request deny if { path_beg /admin/ }') },
]

export const proxyKinds: ReadonlyArray<ProxyKind> = [
  { name: 'nginx', start: (port) => startNginx(port) },
  { name: 'HAProxy', start: startHaproxy() },
  {
    name: 'HAProxy that accepts invalid requests',
    start: startHaproxy('option accept-invalid-http-request'),
  },
]
