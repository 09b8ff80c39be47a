/**
 * The bundlers. Each function builds all programs of a project, and resolves to the messages of warnings. The bundle of the program
 * `NAME.mjs` is a file of this name in the folder `out`, with the extension `.mjs`, `.cjs` or `.js`.
 *
 * @typedef {{
 *   readonly folder: string
 *   readonly names: ReadonlyArray<string>
 *   readonly target: 'server' | 'client'
 *   readonly mode: 'development' | 'production'
 *   readonly out: string
 * }} Build
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'

const { resolve } = createRequire(import.meta.url)

/** @type {(names: ReadonlyArray<string>, folder: string) => Readonly<Record<string, string>>} */
const entriesOf = (names, folder) =>
  Object.fromEntries(names.map((name) => [name, join(folder, `${name}.mjs`)]))

/** Bundles with webpack in a format of modules. @type {(isModule: boolean) => (build: Build) => Promise<ReadonlyArray<string>>} */
const webpackTo =
  (isModule) =>
  async ({ folder, names, target, mode, out }) => {
    const { default: webpack } = await import('webpack')
    const stats = await new Promise((done, fail) => {
      webpack(
        {
          context: folder,
          entry: entriesOf(names, folder),
          mode,
          target: target === 'server' ? 'node20' : ['web', 'es2022'],
          output: {
            path: out,
            filename: isModule ? '[name].mjs' : '[name].cjs',
            chunkFilename: isModule ? '[id].mjs' : '[id].cjs',
            ...(isModule ? { module: true, chunkFormat: 'module' } : {}),
            library: { type: isModule ? 'module' : 'commonjs2' },
          },
          // an entry point in the CommonJS format exports nothing if its chunks are loaded first
          optimization: isModule ? { splitChunks: { chunks: 'all' } } : {},
          experiments: { outputModule: isModule },
          performance: false,
        },
        (error, result) => (error ? fail(error) : done(result)),
      )
    })
    const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true })
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
    return warnings.map(({ message }) => message)
  }

/** @type {Readonly<Record<string, (build: Build) => Promise<ReadonlyArray<string>>>>} */
export const tools = {
  esbuild: async ({ folder, names, target, mode, out }) => {
    const { build } = await import('esbuild')
    const { warnings } = await build({
      absWorkingDir: folder,
      entryPoints: Object.values(entriesOf(names, folder)),
      outdir: out,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: target === 'server' ? 'node' : 'browser',
      minify: mode === 'production',
      logLevel: 'silent',
    })
    return warnings.map(({ text }) => text)
  },
  webpack: webpackTo(true),
  'webpack-commonjs': webpackTo(false),
  rollup: async ({ folder, names, target, out }) => {
    const { rollup } = await import('rollup')
    const { default: nodeResolve } = await import('@rollup/plugin-node-resolve')
    const { default: commonjs } = await import('@rollup/plugin-commonjs')
    const warnings = []
    const bundle = await rollup({
      input: entriesOf(names, folder),
      // compiled code of io-ts and fp-ts uses `this`
      onwarn: ({ code, message }) => code === 'THIS_IS_UNDEFINED' || warnings.push(message),
      plugins: [
        nodeResolve(target === 'server' ? { exportConditions: ['node'] } : { browser: true }),
        commonjs(),
      ],
    })
    await bundle.write({ dir: out, format: 'es', entryFileNames: '[name].mjs' })
    await bundle.close()
    return warnings
  },
  rolldown: async ({ folder, names, target, mode, out }) => {
    const { rolldown } = await import('rolldown')
    const warnings = []
    const bundle = await rolldown({
      cwd: folder,
      input: entriesOf(names, folder),
      platform: target === 'server' ? 'node' : 'browser',
      onLog: (level, { message }) => level === 'info' || warnings.push(message),
    })
    await bundle.write({
      dir: out,
      format: 'es',
      minify: mode === 'production',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
    })
    await bundle.close()
    return warnings
  },
  vite: async ({ folder, names, target, mode, out }) => {
    const { build, createLogger } = await import('vite')
    const warnings = []
    const warn = (message) => warnings.push(message)
    await build({
      configFile: false,
      root: folder,
      mode,
      customLogger: {
        ...createLogger('silent'),
        info: () => {},
        warn,
        warnOnce: warn,
        error: warn,
      },
      ssr: { noExternal: true },
      build: {
        ssr: target === 'server',
        outDir: out,
        emptyOutDir: true,
        minify: mode === 'production',
        reportCompressedSize: false,
        chunkSizeWarningLimit: 10_000,
        rollupOptions: {
          input: entriesOf(names, folder),
          preserveEntrySignatures: 'strict',
          output: { entryFileNames: '[name].mjs' },
        },
      },
    })
    return warnings
  },
  parcel: async ({ folder, names, target, mode, out }) => {
    const { Parcel } = await import('@parcel/core')
    await new Parcel({
      entries: names.map((name) => join(folder, `${name}.mjs`)),
      defaultConfig: resolve('@parcel/config-default'),
      mode,
      shouldDisableCache: true,
      shouldAutoInstall: false,
      targets: {
        main: {
          distDir: out,
          context: target === 'server' ? 'node' : 'browser',
          outputFormat: 'esmodule',
          isLibrary: true,
          includeNodeModules: true,
          sourceMap: false,
          optimize: mode === 'production',
          engines: target === 'server' ? { node: '>=20' } : { browsers: ['last 1 Chrome version'] },
        },
      },
    }).run()
    return []
  },
}
