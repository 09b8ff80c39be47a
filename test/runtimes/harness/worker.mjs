/** The Worker that runs contracts: a request for a file runs its tests within that request. */
import { files } from 'contract-files'
import { unsupported } from './contract.mjs'
import { runSuites } from './uvu.mjs'

export default {
  fetch: async (request) => {
    const { name, load } = files[new URL(request.url).pathname.slice(1)]
    try {
      await load()
      const results = await runSuites()
      return Response.json({ file: name, results, unsupported: unsupported.splice(0) })
    } catch (error) {
      const failure = { suite: name, title: 'load', error: String(error?.stack ?? error) }
      return Response.json({ file: name, results: [failure], unsupported: [] })
    }
  },
}
